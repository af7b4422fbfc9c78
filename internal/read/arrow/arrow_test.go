package arrow

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"io"
	"strings"
	"testing"

	"github.com/moiety-go/moiety/internal/read/source"
)

// The files were written by pyarrow 26 (four rows of every kind; in batches of
// 2 and 3 with compressed buffers) and packed with gzip.
const plainFile = "H4sIAAAAAAACA+1YPUwUQRR+e7cHC5zmosRcQbFRC4wEObwoRtSjMKIh8UKMWmjCwS1CApzCAgeFUlhQUvqDCYUFdNeaWBCxoMCEghhKCk0oLCxJFNb3dmbuZp97JraESR4zb98372/em72lq7f37o" +
	"MUgIdjLwqQABr1EIcaiIGFKxyGCSZOLQeeR/MJpGXE9iG1IAHSdgTgPVIRKYuURPphAKwiFZESSLsI/Yi0gNSBRLpKvz0PDUTIblI+AzmP5CZcWu/6GDAy+GdH4I81anhU7fuNJoF2bCHG2q/obdT0" +
	"EvYZUud+RWdaYJNhPkwNO9O0bkbMI4EzwnBjhTGH1lnEvBS4Rm6bUtU//ARclC8LTJzkTVocxMeQBgp5ZwLnJcRtCWwszO6w64zSeh0xCZRaeG61eHoJ1CTO0oiRzrRmR/kykHMRb/lPLSm7dyDyYh" +
	"Me11mfN+p5LJRr3A6tHskjUBQ4KyzmfG4G7vs4jEfgahMh/uSdAfQj7ntj+VUo7GyJPTVhumcwS59Rvicw0TA/B7HYvko/ba+Ca+I4ShLmj3JYI6sl6/1DbztABuWuF15r5N/kpbRvm+psUcPx2Ccv" +
	"tkvbpm+b8r9RBU+2hzEmypWFp23J0rb8Pmgs1wBxqgZ47fg68sSL3qb+X5b+04jjStwAcV8TRExQPUdD3AyibtSdkZRnR5IerSdBi7PaiMs5ofkHWs9GQvboz0cHxUxxZEw9jlPBOKKmn8tSWeFx5B" +
	"MykjhyeGeh7Kz0xWT2DI0/x2QiL2Io+7ac6+TcxvAdWi/TyDB5N8vLQybvY3bmmHye+bXA5K+Y/mUmLzH9m0y+zfgdxu+yuJqNoLzNCNrPMHm3EbQ/xORP2f45Jp83guexZARraIntL0n+mORXmb51" +
	"uWiW/E8jWNt7DK8KVMWfkfxpFU+ExcMKXfEq/gUmX2ByCHnfwSHg+d1RDW/+p36owjew3jYlqT7O9bcMrK24aysMbxwIVbWV7XO63YagmTl+p0XLt1J5XMeX96ra92Vj4xpW5QtVTur5m9c0PtxYnI" +
	"T5zm+Xn7PoyvvrmB95Zr/1lxcY3L8Y41WfuLcq9691vvIcPl3oPPm2smv1XfNV4zFGaZ/5vjYT/SvPYfmPaBRlubKkD7dTbTdTqdYrd9Lp1pTmF9fN60nNxdnZgF3yeGKoMO5CpV9ztutUe3+R3qLG" +
	"E7bo2oVBe7Qw7tjuUG7MdqedkSnHHnFc1xmfYHUT8t7T/ePyKKtbdVaJ8rvb8n8FxiWqR95Z6nfmptzYLedSJBiLZQbv/6Tm09F3wNF3wNF3wOH8DqDfzl3+/wT+ALrPk74aEAAA"

const lz4File = "H4sIAAAAAAACA+1YPWgUQRR+s7cXV7nooWc8NeB6iT9gDDkIakDwLMQoiCKCljmTDRdIDCarJo0sVpYpo1gEq6QTC1GwCNiksLCwsLCwsLBMYWGhOd/bfXOZedzmx7/Kgcmbb943b2bezH27m7NXr1" +
	"6+XgaoY5lxAPJAZRvkoAWy4GELi3LBRTO7Uq+7sRfgNHK/KoBFrLNYR7F2Yn2Nvhmsp7AS9/uPeh0DOBS3yH3AdrQ6GVK7d4U4oCr4pytuq9aCwcew8bpwSqARPnKurazGLRhxiXsb60MjZpRwi83W" +
	"cHckuEftEDnzCS9H8dqNuQlnsQ6ODwWTaOeQ9z7hZpvFHAmDMWovISePXg9zuQUzmsdISX5VlmL2GvNQydAc1RD5Xtzrse9aPdmLT3xsX4mx8uTeafxQdRqeJ3yYSngtzXjTuJMa+p8knExerIVyPU" +
	"yHiGun9bdw79v6at4lfwT5Hu7Tw916fBxefHaFRg4I6RzI3MUxhgi7jT66ly95/VRyOCK5mbk4GjhuHKMfVouZv3w8ph2t2xhzg9de4DmhcXbJvBlILx1sj7Lda/iUiJesl2OXLhUHKg8QRk2pjs1D" +
	"GI0NG37KwyfHzMM+Ow8ZF+h+1Kyo27GvwDvPIwL4iDP38PrzYhGKq8zHvk3kw2fbL3ga72dbE36Ne9jOCr/GRbbPBF5ie5jtshiv8RE9Ttl+jfV+KsJfEf4a407GM4Kv8Qm9PsZ9+o6Ki5KGuxifEn" +
	"6Nu8Vdk/fvV7H6zfG/itf4vbgmb6vNQxhVb3YNvlkI3yyAqceJH2GkVowQvu2nn7H/+JGCF6/OPLkDD09/PnkfJ71CjEUzH8xHGG1N6W8F0M/RRv8ObJbD80iP6JfsHdPrELy8sd+N5MWRKUzhZWJZ" +
	"NEqrzUMYXSj3nCuXu/su9vZ2l1PydACbT+lZOFkbnwhxmcuqhKjqh4G93pI9rkTng6Sp0B8f9sfGJwI/rFVv+eG9YPRu4I8GYRhMTBrjxby7KaTC+XY6WyDrQCQ1WvD3mPwOyHgQWddnw3r67i/raV" +
	"HYhv6wbWc7IHhT4vmTpo8H2X4Q/mWBPXHjND6g9V3Z/IrwDwj/lNDLORF/ToxfVPZ+P4l43xgf1+txbD3Vzz3Nj4SwaKz1el74NT6UoqdqHX1Um9TPNL7aJH89PW2iT84aOgH8qgsSMA9h1NDYteI3" +
	"eZ+xBDxtnNBD+tRos4R4nfFp/Z7dj9AW4k2M+938WkecEj+7Rv4tfU6bX+hhW/zqRXKtDPH4g3q9wfOkx84uegpK/RY8ktZShoi2bMe6DY33+kL8dUJanGOFHWDtdPkOzvNEXxxbJ755dr+p87SXOc" +
	"aL4v31/zfw/2/gf/kNTPfzbPw/mp//8a6OqhEAAA=="

const zstdFile = "H4sIAAAAAAACA+1YPUwUQRR+s7d37umhi54GiZKVoPGHIBdJPBMSoTCKjYSQ2HLKEkhATm7lpzHYXXklGoprTKAwISYmmFiQ2FBoZ0FjZ2FpYWGhnG9m397NvmNPhYTEhJcMb99837x582b2zR79Q0" +
	"P37mcAKiglA8AGKYchBQmIg4VPKMIEE9XSdqViKhSgF7nfBcAGtiVsk9g6sL1DrIQti01yf/6qVNCBIf22UB+QnswVPPncsy05IPrwT6d6Fk1pjY9uVVw4JcgRDnKGt2t+05pfyX2Mraj5XPS5LTvF" +
	"MDvhzslnDzkrPi8l/Z3R5pZ2HNvD6VG3gLqMvE8+N76TzwnPnZLPm8ixEbUwl4cwozZ68vMr4tJnjzaPlJicI+ch31K9FmHDFX8tjuTj86CyhcXXLseP5hbgtc+HeZ+X2Im3gCsZR3zZ58RsFovM9Z" +
	"jcRIxdxp+g3g+VWt45fwL5Fq7TwtVatB2W2rt0NQfSCnLAc6d8jErbrPbJc7lB8UtJ4Qj/ZKaUNzBM5SMLNdHzZ6sxbajN6pgRbB00twG6JFTsCYo9BtFylrRD+oSGiTq/4MeKcvHN1V9OKldHNHTc" +
	"aAaYGquu/6uhr781vP6YqWL4FprwKPalacU2WgBfhJ+jTspJjMUrGuShVUOOk24hfY50H+mAO8L486RPki4xfIX0ZdJbDP/GbEuEbUeE47nD8BGGFxleZvhmOCFVO9j3r2S3BfEYLB6yO8keJPtaMD" +
	"/jl9mBCezzwfwMD+wL7IzFtD2FfbD5Of/b8RBhC/09EEmAI75t6/32sxrZ1AoISlLnJQcAcg86H75f9d6vNvZv6v0mngKxXa3/O/Edvd/5iJfgi+dS3t5cfgLF3i/Xn4KJd+OxNbPxvHX9yYj+pog8" +
	"eLdrhdK6svs87mUfDK01qncxVZyVNOl40wTAQKb7VibTdeNuT09XJnr+br2/+zPmXd7MhfHpGQ/a8SnneC7GUW5L+RWhXee3NwtFmPec6TFnanrGdbzx3CPHm3MnZ11n0vU8d6bQcP3hfX+pCotRPc" +
	"UG9D1IqVIT5r0CyPu86h08jJb4+/q+Jv6tvotd1ncup9k9d4p0lvGyrD4PMnyQ+cszPM/GFxleZPdHmeFlhq8zfJ3Nv8XwLYb/YOu12Ttis/siK8L1Pc/4UXYwX4nhJYYH75SIeE//F9vS3wur3zfi" +
	"NTyu4/FLAFS7695Hs4E/RDei6piIqPdUO+v6G8Ut9rAuqnN19VRoH0ua7LaO1cUV+8N+mGG8Qr8l/O/otKocsuakKFsj9O1nUvkvk//gezTQi8mwrdczoX3vbLJ6cvCb8+A3537+5pR3cb/6n8hvPT" +
	"xCkxoRAAA="

const plainTable = `id,i8,u32,u64,f2,f4,f8,yes,dec,day,at,cat,codes,big,none,view,last
a,1,2147483648,9223372036854775808,,0.1,0.1,true,1,2020-01-31,2020-01-01 12:30:00,m,I10;E11.9,x,,short,1
"b,c",-2,0,0,1.5,,1e+300,false,-12.34,,,f,,,,a text of more than twelve letters,2
,,1,,0.25,,,,,1969-12-31,1999-12-31 23:59:59,,,zz,,,3
été,4,,3,-2,2,-2.5,true,0.05,2000-02-29,2001-01-01 00:00:00,m,J44.1,,,x,4
`

const smallTable = `id,i8,f8,yes,day,cat,codes,view,last
a,1,0.1,true,2020-01-31,m,I10;E11.9,short,1
"b,c",-2,1e+300,false,,f,,a text of more than twelve letters,2
,,,,1969-12-31,,,,3
été,4,-2.5,true,2000-02-29,m,J44.1,x,4
`

func unpacked(t testing.TB, text string) []byte {
	t.Helper()
	packed, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// tableOf reads a file to its end.
func tableOf(data []byte) (string, []string, error) {
	ctx := context.Background()
	f, err := Open(ctx, source.Bytes("a.arrow", data))
	if err != nil {
		return "", nil, err
	}
	r, err := f.Table().Open(ctx)
	if err != nil {
		return "", nil, err
	}
	defer r.Close()
	text, err := io.ReadAll(r)
	return string(text), f.Left(), err
}

func TestTable(t *testing.T) {
	for _, c := range []struct{ name, file, want string }{
		{"plain", plainFile, plainTable}, {"lz4", lz4File, smallTable}, {"zstd", zstdFile, smallTable},
	} {
		got, left, err := tableOf(unpacked(t, c.file))
		if err != nil || got != c.want || strings.Join(left, " ") != "st" {
			t.Errorf("%s: %v, left out %v, got\n%s\nwant\n%s", c.name, err, left, got, c.want)
		}
	}
}

// A file that is cut off or changed in one byte is refused or read; nothing
// panics, and no claim is believed.
func TestDamage(t *testing.T) {
	for _, file := range []string{plainFile, lz4File, zstdFile} {
		data := unpacked(t, file)
		for i := 0; i < len(data); i += 29 {
			if _, _, err := tableOf(data[:i]); err == nil {
				t.Fatalf("cut off after %d of %d bytes: nothing said", i, len(data))
			}
		}
		for i := 0; i < len(data); i += 5 {
			bad := bytes.Clone(data)
			bad[i] ^= [...]byte{0xff, 0x80, 1}[i%3]
			tableOf(bad)
		}
	}
}

func FuzzOpen(f *testing.F) {
	for _, file := range []string{plainFile, lz4File, zstdFile} {
		f.Add(unpacked(f, file))
	}
	f.Fuzz(func(_ *testing.T, data []byte) { tableOf(data) })
}
