// Package simd writes the hot loops of package kernel as a module of WebAssembly
// with vector instructions. Go compiles for WebAssembly without them, and its loops
// jump through a table at every turn; this module works in the memory of the
// program beside it. It takes nothing and gives bytes; it knows no formula but
// those of kernel, whose tests in plain Go hold it (TestKernels).
package simd

import (
	"encoding/binary"
	"math"
)

// Types of values.
const (
	i32  byte = 0x7f
	i64  byte = 0x7e
	f64  byte = 0x7c
	v128 byte = 0x7b
)

// Instructions, by their numbers in the WebAssembly specification.
const (
	opSelect     = 0x1b
	opEqz        = 0x45
	opEq         = 0x46
	opNe         = 0x47
	opLtS        = 0x48
	opGtU        = 0x4b
	opGeS        = 0x4e
	opGeU        = 0x4f
	opAdd        = 0x6a
	opSub        = 0x6b
	opMul        = 0x6c
	opShl        = 0x74
	opI64LtS     = 0x53
	opI64GtS     = 0x55
	opF64Eq      = 0x61
	opF64Lt      = 0x63
	opF64Add     = 0xa0
	opF64Sub     = 0xa1
	opF64Mul     = 0xa2
	opF64Div     = 0xa3
	opPromote    = 0xbb
	opConvert    = 0xb7 // of an i32 to f64, with its sign
	opLoad32     = 0x28
	opLoad64     = 0x29
	opLoadF32    = 0x2a
	opLoadF64    = 0x2b
	opStoreF64   = 0x39
	vLoad        = 0x00
	vStore       = 0x0b
	vSplatF64    = 0x14
	vLtF64       = 0x49
	vAnd         = 0x4e
	vAndNot      = 0x4f
	vOr          = 0x50
	vLoadZero64  = 0x5d
	vNearestF64  = 0x94
	vMaxU32      = 0xb9
	vShl64       = 0xcb
	vShrS64      = 0xcc
	vAdd64       = 0xce
	vSub64       = 0xd1
	vAddF64      = 0xf0
	vSubF64      = 0xf1
	vMulF64      = 0xf2
	vDivF64      = 0xf3
	vPminF64     = 0xf6
	vPmaxF64     = 0xf7
	vExtractI32  = 0x1b
	vExtractF64  = 0x21
	vStoreLane64 = 0x5b
)

// code is the body of a function while it is written: its values are on a stack.
type code struct {
	args, locals []byte // their types
	gives        []byte
	body         []byte
}

// function begins a function of arguments of 32 bits.
func function(args int, gives ...byte) *code {
	c := &code{gives: gives}
	for range args {
		c.args = append(c.args, i32)
	}
	return c
}

// local returns a new variable, which begins at zero.
func (c *code) local(kind byte) int {
	c.locals = append(c.locals, kind)
	return len(c.args) + len(c.locals) - 1
}

func (c *code) get(v int) { c.body = unsigned(append(c.body, 0x20), uint64(v)) }
func (c *code) set(v int) { c.body = unsigned(append(c.body, 0x21), uint64(v)) }
func (c *code) tee(v int) { c.body = unsigned(append(c.body, 0x22), uint64(v)) }
func (c *code) op(o byte) { c.body = append(c.body, o) }
func (c *code) vec(o uint64, lane ...byte) {
	c.body = append(unsigned(append(c.body, 0xfd), o), lane...)
}
func (c *code) int(v int) { c.body = signed(append(c.body, 0x41), int64(v)) }
func (c *code) float(v float64) {
	c.body = binary.LittleEndian.AppendUint64(append(c.body, 0x44), math.Float64bits(v))
}

// twice puts a vector of two equal numbers on the stack.
func (c *code) twice(bits uint64) {
	c.vec(0x0c)
	c.body = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(c.body, bits), bits)
}
func (c *code) floats(v float64) { c.twice(math.Float64bits(v)) }

// mem is an access to memory at an address on the stack plus off. Numbers stand at
// multiples of eight bytes, entries at multiples of four.
func (c *code) mem(o byte, off int) {
	align := byte(3)
	if o == opLoad32 || o == opLoadF32 {
		align = 2
	}
	c.body = unsigned(append(c.body, o, align), uint64(off))
}

func (c *code) vmem(o uint64, off int, lane ...byte) {
	c.vec(o)
	c.body = append(unsigned(append(c.body, 3), uint64(off)), lane...)
}

// call calls the function of a number.
func (c *code) call(f int) { c.body = unsigned(append(c.body, 0x10), uint64(f)) }

// bump adds to a variable.
func (c *code) bump(v, by int) { c.get(v); c.int(by); c.op(opAdd); c.set(v) }

// step adds one variable to another.
func (c *code) step(v, by int) { c.get(v); c.get(by); c.op(opAdd); c.set(v) }

// when does something where the stack says so.
func (c *code) when(do func()) { c.op(0x04); c.op(0x40); do(); c.op(0x0b) }

// either does one of two things.
func (c *code) either(do, other func()) {
	c.op(0x04)
	c.op(0x40)
	do()
	c.op(0x05)
	other()
	c.op(0x0b)
}

// while does something as long as the condition, which it puts on the stack, holds.
func (c *code) while(condition, do func()) {
	c.op(0x02)
	c.op(0x40)
	c.op(0x03)
	c.op(0x40)
	condition()
	c.op(opEqz)
	c.body = append(c.body, 0x0d, 1)
	do()
	c.body = append(c.body, 0x0c, 0, 0x0b, 0x0b)
}

// back ends the function.
func (c *code) back() { c.op(0x0f) }

// below is a condition: a < b, without signs.
func (c *code) below(a, b int) func() { return func() { c.get(b); c.get(a); c.op(opGtU) } }

func unsigned(b []byte, v uint64) []byte { return binary.AppendUvarint(b, v) }

func signed(b []byte, v int64) []byte {
	for {
		low := byte(v & 0x7f)
		v >>= 7
		if v == 0 && low&0x40 == 0 || v == -1 && low&0x40 != 0 {
			return append(b, low)
		}
		b = append(b, low|0x80)
	}
}
