package xz

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"strings"
	"testing"
	"time"
)

// sample is a text of n words drawn by a linear congruential generator; the
// packed forms below were made of it by the program xz 5.4.
func sample(n int) []byte {
	words := strings.Split("age,sex,code,428.0,250.00,yes,no,patient,ward,12,7,3.5", ",")
	x := uint64(1)
	var b []byte
	for i := range n {
		x = x*6364136223846793005 + 1442695040888963407
		b = append(b, words[int(x>>33)%len(words)]...)
		b = append(b, ",\n"[i%5/4])
	}
	return b
}

// noise is bytes that nothing can shorten.
func noise(n int) []byte {
	x := uint64(7)
	b := make([]byte, n)
	for i := range b {
		x = x*6364136223846793005 + 1442695040888963407
		b[i] = byte(x >> 56)
	}
	return b
}

type packedForm struct {
	name  string
	plain []byte
	text  string
}

func forms() []packedForm {
	return []packedForm{
		{
			"crc64", sample(400),
			"/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4AcKAfVdADGbyLBTyd41he8iLMOtQxnwoS84BeWWomNqI6DszL7+qm8rN8HhCoPc6AiAo90305IVkCMT/tg/dd9CrqPMDxyACysRTxjvyDCjJsfZEo8b7A" +
				"8m0G7qoh32fBL1rxv4fvHdsl/RXq/tu1w/x37X8J10g51ANZWwi4gk/+LzJaKCJTy24IFJuYjcPwq6onCs4sQUvF0ReGMkj1IC5fI67RKAJsUMBD2J1vsZzWSPOrehnXqWWj2ikcIoC7C8XUyJzllC" +
				"4YNSeESWKiKGeegNUE5rQ6flg7u8knjfCL/IrPj1ooFTfPfc91vara2LjB3IFES86NZ8Nk5jBVCSqrhr55S4jxeGbZV5ou2C9hoxl4zCa5aC/AM8xO8NcVDerqU9iVR12iW0t20oX/Fjtvg8EjNoyg" +
				"XBrobagiXxPrjwvt7CBsZtUlycafJNRCcOhjxgr+MReNXqdj+vZh1RrG6C+feInsPkx3Y7wSEV3zdhYz29Ox6Ex5IX3DixpVwrZE5Sg8BZ8m78XsrDfaxCcIqj/bSSHNBBE/1F35l1feFnc3nD//qs" +
				"vkDEwJAvq3asvtNqfH5nST0EqaNDhHwfySUjiZTa3yLY3QETf/8oYn6zwyFlIpPIiVUNobpQdh5Kc5FvKsRdaYIQHFk8rQivIuugY8TLVnEl4AAAAACU3iIx4BJ54AABkQSLDgAAy6sp0LHEZ/sCAA" +
				"AAAARZWg==",
		},
		{
			"crc32", sample(400),
			"/Td6WFoAAAFpIt42AgAhAQwAAACPmEGc4AcKAjldADGbyLBTyd41he8iLMOtQxnwoS84BeWWomNqI6DszL7+qm84G7DMDOXS2etVKVv8N4zdsRTVIJ6+1IXcloVHVhCt9uzek/6Aj6qCe5wiw2/LQf" +
				"x/+X1GeYxeeOvRJq9IY2iie1zecYs7bAcr6ysuAR8trM7AMEJNixw1wUvyZSCzokrMp2+5W4TLojv3sR1qdXgs0j4JnYWNHNozcZwJlKhYUorLpvq0HViZQW7MQqhqHOtJaHerECxAsPiKPTW3z8MA" +
				"PWorxaTA9tR7eJC2W+e4r9/HqhIBhv6uWF5ofxaoO4S6BTN9G5G6bAbIvHG9ufwVzEhhb2b5zFMRHvXgwnBGgymxxyvy2ugyhJkvX79lvArDeviUcu3WtrCpBjB/jXINKv4tP1d2sDrdt1ipfBgvE0" +
				"xGwo0Ksku+mqBY7uXo6oPHQKQW7S0HgAC291Hd8koC5wtek+xiTTYdrDYY9wkKhcZpyWPY76+TTi0rWt4E9xZwcCITxq4kcBAoXAqloaokBcUyk3ekkj9oxNobiJXY3kCX6bWYfKM9RzVkIodMQoM4" +
				"rwsLCSo3UR/8o+lA4r7OtTWvzNgU6Tnphfyy7GJAc8k5sg2vnuXTa8qF90Eg1ylW66dcV6uEe4NIvI1fEVlgOmdO1uvTtN+vxAzvxpblqXCL32eRjSMq1EuJKbhaDLgqmgfhy16fhvLrbtML4NTT6P" +
				"1B+9a66yHnqK94CDAvaD6TNe2Nm2dcLDl8oI3tHEt3brs59ajMAAAAAB/D8FQAAdEEiw4AAKehcd8+MA2LAgAAAAABWVo=",
		},
		{
			"sha256", sample(200),
			"/Td6WFoAAArh+wyhAgAhARwAAAAQz1jM4ANoASxdADGbyLBTyd41he8iLMOtQxnwoS84BeWWomNqI6DszL7+qm8rN8HhCoPc6AiAo90305IVkCMT/tg/dd9CrqPMDxyACysRTxjvyDCjJsfZEo8b7A" +
				"8m0G7qoh32fBL1rxv4fvHdsl/RXq/tu1w/x37X8J10g51ANZWwi4gk/+LzJaKCJTy24IFJuYjcPwq6onCs4sQUvF0ReGMkj1IC5fI67RKAJsUMBD2J1vsZzWSPOrehnXqWWj2ikcIoC7C8XUyJzllC" +
				"4YNSeESWKiKGeegNUE5rQ6flg7u8knjfCL/IrPj1ooFTfPfc91vara2LjB3IFES86NZ8Nk5jBVCSqrhr55S4jxeGbZV5ou2C9hoxl4zCa5aC/AM8xO8NcVDerqU9iVR12iW0t3hUrfwSAAAks5CkRn" +
				"TYktWfzZc+TvIAq2FMW9Y0Sor2oMGfil8NlQAB4ALpBgAAP+4rALbp3xwCAAAAAApZWg==",
		},
		{
			"none", sample(200),
			"/Td6WFoAAAD/EtlBAgAhARYAAAB0L+Wj4ANoASxdADGbyLBTyd41he8iLMOtQxnwoS84BeWWomNqI6DszL7+qm8rN8HhCoPc6AiAo90305IVkCMT/tg/dd9CrqPMDxyACysRTxjvyDCjJsfZEo8b7A" +
				"8m0G7qoh32fBL1rxv4fvHdsl/RXq/tu1w/x37X8J10g51ANZWwi4gk/+LzJaKCJTy24IFJuYjcPwq6onCs4sQUvF0ReGMkj1IC5fI67RKAJsUMBD2J1vsZzWSPOrehnXqWWj2ikcIoC7C8XUyJzllC" +
				"4YNSeESWKiKGeegNUE5rQ6flg7u8knjfCL/IrPj1ooFTfPfc91vara2LjB3IFES86NZ8Nk5jBVCSqrhr55S4jxeGbZV5ou2C9hoxl4zCa5aC/AM8xO8NcVDerqU9iVR12iW0t3hUrfwSAAAAAcAC6Q" +
				"YAAAnrhweoAAr8AgAAAAAAWVo=",
		},
		{
			"odd", sample(400),
			"/Td6WFoAAATm1rRGAgAhAQAAAAA3J5fW4AcKAeocADGcp7aPko367z24K6P/sHbfKs1tMbPZqj5MUUxWwu4WBQs88fZclqBn5IepmhujBUWoqcBbp5PJvikT+AFTMeGOFnMhnR1skD4GN1r/7vP1RS" +
				"oknSiloLKH/T2z3z9aLt6V3FrSMZ+EPBKVT/xKRgEX8LElZJIJu9WLtgc7zE6WfXDsWACPh4vQiJy0hXS+WsXCrsTd8AC9Bth9a69mwOSnh4DdSKLA4Y6Cht0L6gy4SA+odzWo69SUy/py4N9EhKkg" +
				"/VYR5C7Mz3UKrBUkVVo/gHvOD9J4i5pWOAC1KVpmiJuD8q1UDWNTrnBJvknKuR6Z7Z7qy0cGiPoaM5LqJetWI6hEYP1b+4mpJ99MzZ+riq/TaKQgBNsCCqH33FV3FMhhDRl7PtmEdDWhR/9BhMVH2g" +
				"dBERCX60S0tdHMY7jy/3wnGm20s6hdKMDur0c4GVDWpNPmZ40HA4R0GQm+6AkyfmAJUnBGACXS4Sf/lFZTElIsplMELDbKTRLpWlMMfALHIAIfGVfDWF95Tv1HQvInP4G/C8KQS69zdVyp5EVFOziq" +
				"9NzYlbDicY85ttYf2KgBtgM+HX/UWXb6ofg7dVjQOdI5lf6DNJIhNz0+J+UOStfHgB5TRB3FwQ4WLlD6a1G0n7NXJcNbovQAAACU3iIx4BJ54AABhgSLDgAA6Jn6zrHEZ/sCAAAAAARZWg==",
		},
		{
			"noise", noise(300),
			"/Td6WFoAAATm1rRGAgAhARYAAAB0L+WjAQErfvToRUQjZ1L7tWuPMaI6EOQoFPX1XKA3zcwRxkyaOylJwbtgcAMUYRcypsL+qY7rwCZqEak5cBAOl5/C6oSYcG1eZwIWgDxOUp83SeCHEBcRDZXr77" +
				"ixu9Vcloyj0OLTNywrf3vmNAVr1xNWgtfwWrwQVlRbHHGlb27RXUd2hiKALpZ7GmPzPij51D3pH925Y4G83zeg1mOXV1+Hvc8SeEjeaRxLb5rJ3+2UirYbWBzIchoejzVSqRT/AS2NHwGlt47yIeMx" +
				"cKpCnAoaB+v3yFVWR2c1s9VD+fN2F84ykzTfhkSdpdsk3ZV4y5aj8k2h9GRBU+/P8AcbfMemU6NiT6hinGIiPKDeoSe2bDuyTL93a4S9kdipu0TlG4anouhNUvQGMbUvuvh5yFsKAMxDvTcqJe7BAA" +
				"HEAqwCAADMqdU3scRn+wIAAAAABFla",
		},
		{
			"long", bytes.Repeat(sample(60), 4000),
			"/Td6WFoAAATm1rRGAgAhAQAAAAA3J5fW73EfAVJdADGbyLBTyd41he8iLMOtQxnwoS84BeWWomNqI6DszL7+qm8rN8HhCoPc6AiAo90305IVkCMT/tg/dd9CrqPMDxyACysRTxjvyDCjJsfZEo8b7A" +
				"8m0G7qoh32fBL1rxv4fvHdsl/RXq/tu1w/x37X8J10g51ANZWwi4gk/+L1If/dhJ03Mew1kz47mcC+7f/RpuruRrlTRFemZmXFMGc4CsCTAaYJoZGbx2b1SMGx82521mDoRMWbm/2OzVjnrNx12eo+" +
				"gui6X16QINoB3U4tFT/i0/sRiNtdh0dQIEL53VM9+ClkCTuAyyps37U78MS9Ll+qDz5LZkKQEw7/EJP4cXhZ+AvN/5UoRg+p/Hze+5owLlbAj4Xzg4HAZcQlU/j1kTYxBaWw7m/BcE1HDNGREaqtYB" +
				"26zrEnGFxZhulmUli+6XasWeTlWwUI+cfare+wbuPAAAAA/mXeLAoXJo8AAe4CoOI9ADqoPhixxGf7AgAAAAAEWVo=",
		},
	}
}

func unpack(data []byte) ([]byte, error) {
	r, err := NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

func (f packedForm) bytes(t testing.TB) []byte {
	data, err := base64.StdEncoding.DecodeString(f.text)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestUnpack(t *testing.T) {
	for _, f := range forms() {
		got, err := unpack(f.bytes(t))
		if err != nil || !bytes.Equal(got, f.plain) {
			t.Errorf("%s: %d bytes of %d, %v", f.name, len(got), len(f.plain), err)
		}
	}
}

// Streams may follow one another, with zeros between.
func TestStreams(t *testing.T) {
	all := forms()
	data := append(append(all[2].bytes(t), make([]byte, 8)...), all[0].bytes(t)...)
	got, err := unpack(data)
	if want := append(bytes.Clone(all[2].plain), all[0].plain...); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes of %d, %v", len(got), len(want), err)
	}
}

// A byte that is changed, or an end that is missing, is noticed: by a checksum, or
// because the data contradict themselves.
func TestDamage(t *testing.T) {
	for _, f := range forms() {
		data := f.bytes(t)
		for i := range len(data) {
			if _, err := unpack(data[:i]); !errors.Is(err, ErrDamaged) {
				t.Fatalf("%s cut off after %d of %d bytes: %v", f.name, i, len(data), err)
			}
		}
		if f.name == "none" || f.name == "sha256" {
			continue // no checksum, or one that is stepped over
		}
		for i := range len(data) - 30 { // behind it stand the list of blocks and the foot
			bad := bytes.Clone(data)
			bad[i] ^= 0x10
			if got, err := unpack(bad); err == nil && !bytes.Equal(got, f.plain) {
				t.Fatalf("%s: byte %d changed: nothing said", f.name, i)
			}
		}
	}
}

// What a header claims is not taken from the machine before there are data.
func TestClaims(t *testing.T) {
	data := forms()[0].bytes(t)
	for bits := range byte(41) {
		bad := bytes.Clone(data)
		bad[12+4] = bits // the size of the dictionary
		begin := time.Now()
		if _, err := unpack(bad); err == nil && bits != data[12+4] {
			t.Errorf("a header that was changed is not noticed")
		}
		if d := time.Since(begin); d > 5*time.Second {
			t.Errorf("it took %v", d)
		}
	}
}

func FuzzUnpack(f *testing.F) {
	for _, x := range forms()[:6] {
		f.Add(x.bytes(f))
	}
	f.Fuzz(func(_ *testing.T, data []byte) {
		r, err := NewReader(bytes.NewReader(data))
		if err == nil {
			io.Copy(io.Discard, io.LimitReader(r, 1<<24))
		}
	})
}
