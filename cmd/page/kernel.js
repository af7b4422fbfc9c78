// kernel puts the module of vector instructions beside a program of WebAssembly: start(go)
// adds its functions to what the program imports, join(instance) gives it the
// program's memory. Where the browser has no such instructions the program does without.
globalThis.kernel = (bytes) => {
  let made = null;
  const able = WebAssembly.validate(bytes);
  return {
    start: (go) => {
      if (!able) go.env.MOIETY_TIER = "plain";
      go.importObject.kernel = {
        gather: (a, b, c, d, e, f, g) => made.gather(a, b, c, d, e, f, g),
        scatter: (a, b, c, d, e, f, g) => made.scatter(a, b, c, d, e, f, g),
        softmax: (a, b, c, d, e, f, g) => made.softmax(a, b, c, d, e, f, g),
        exps: (a, b) => made.exps(a, b),
        logs: (a, b) => made.logs(a, b),
        rates: (a, b, c, d) => made.rates(a, b, c, d),
        inside: (a, b, c, d, e) => made.inside(a, b, c, d, e),
        gemm: (a, b, c, d, e, f, g, h, i, j) => made.gemm(a, b, c, d, e, f, g, h, i, j),
        curves: (a, b, c, d, e, f, g, h) => made.curves(a, b, c, d, e, f, g, h),
        shifts: (a, b, c, d, e, f, g) => made.shifts(a, b, c, d, e, f, g),
      };
    },
    join: (instance) => {
      if (able) made = new WebAssembly.Instance(new WebAssembly.Module(bytes), { go: { mem: instance.exports.mem } }).exports;
    },
  };
};
