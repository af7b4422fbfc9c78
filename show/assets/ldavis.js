// The page of topics: a map, bars, and a slider for λ. All numbers come from
// the JSON inside the page.
(function () {
  const read = (id) => JSON.parse(document.getElementById(id).textContent);
  const data = read("data"), labels = read("labels");
  const map = document.getElementById("map"), bars = document.getElementById("bars");
  const slider = document.getElementById("lambda"), value = document.getElementById("lambda-value");
  const topics = document.getElementById("topic"), terms = document.getElementById("term");
  const count = data.mdsDat.topics.length;
  let chosen = 0, word = "";

  const make = (name, attributes, parent) => {
    const e = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
    parent.append(e);
    return e;
  };
  const title = (j) => labels.ids[j] + " " + labels.names[j];
  const amount = (x) => x >= 100 ? Math.round(x).toLocaleString("en") : x.toPrecision(2).replace(/\.0$/, "");

  // Where the occurrences of a term are: topic -> share.
  const spread = new Map();
  data["token.table"].Term.forEach((t, i) => {
    if (!spread.has(t)) spread.set(t, new Map());
    spread.get(t).set(data["token.table"].Topic[i], data["token.table"].Freq[i]);
  });

  // --- the map
  const side = 520, largest = Math.max(...data.mdsDat.Freq, 1);
  const radius = (share) => Math.max(70 * Math.sqrt(share / Math.max(largest, 20)), 5);
  const reach = Math.max(...data.mdsDat.x.map(Math.abs), ...data.mdsDat.y.map(Math.abs)) || 1;
  const half = side / 2 - 80;
  make("line", { x1: 0, x2: side, y1: side / 2, y2: side / 2, class: "axis" }, map);
  make("line", { y1: 0, y2: side, x1: side / 2, x2: side / 2, class: "axis" }, map);
  // Large ones lie below small ones, and the numbers above all of them.
  const bubbles = [], below = make("g", {}, map), above = make("g", { class: "numbers", "aria-hidden": "true" }, map);
  for (let j = 0; j < count; j++) {
    const x = side / 2 + data.mdsDat.x[j] / reach * half, y = side / 2 - data.mdsDat.y[j] / reach * half;
    const g = make("g", { class: "bubble", role: "button", tabindex: j ? -1 : 0, "aria-pressed": "false",
      "aria-label": labels.said.noun + " " + title(j) + ", " + data.mdsDat.Freq[j].toFixed(1) + " %", transform: `translate(${x} ${y})` }, below);
    make("circle", { r: radius(data.mdsDat.Freq[j]), fill: labels.palette[j] }, g);
    make("text", { x, y }, above).textContent = labels.ids[j];
    g.addEventListener("click", () => choose(chosen === j + 1 ? 0 : j + 1));
    bubbles.push(g);
    topics.add(new Option(title(j), j + 1));
  }
  bubbles.map((g, j) => [data.mdsDat.Freq[j], g]).sort((a, b) => b[0] - a[0]).forEach(([, g]) => below.append(g));
  const step = (from, by) => (from + by + count) % count;
  map.addEventListener("keydown", (e) => {
    const at = bubbles.indexOf(document.activeElement);
    if (at < 0) return;
    const to = { ArrowRight: step(at, 1), ArrowDown: step(at, 1), ArrowLeft: step(at, -1), ArrowUp: step(at, -1), Home: 0, End: count - 1 }[e.key];
    if (to !== undefined) {
      bubbles.forEach((b, j) => b.setAttribute("tabindex", j === to ? 0 : -1));
      bubbles[to].focus();
    } else if (e.key === "Enter" || e.key === " ") choose(chosen === at + 1 ? 0 : at + 1);
    else if (e.key === "Escape") choose(0);
    else return;
    e.preventDefault();
  });

  // resize shows where a term occurs, or the shares of the topics.
  const resize = () => {
    const where = spread.get(word);
    bubbles.forEach((b, j) => {
      const share = where ? 100 * (where.get(j + 1) || 0) : data.mdsDat.Freq[j];
      b.firstChild.setAttribute("r", where && !share ? 2 : radius(where ? share / 100 * largest : share));
    });
  };

  // --- the bars
  const rows = () => {
    const lambda = Number(slider.value), list = [], t = data.tinfo;
    const category = chosen ? "Topic" + chosen : "Default";
    for (let i = 0; i < t.Term.length; i++) {
      if (t.Category[i] !== category) continue;
      list.push({ term: t.Term[i], part: chosen ? t.Freq[i] : null, whole: t.Total[i], relevance: lambda * t.logprob[i] + (1 - lambda) * t.loglift[i] });
    }
    return list.sort((a, b) => b.relevance - a.relevance).slice(0, data.R);
  };
  const cut = (s, most) => s.length > most ? s.slice(0, most - 1).trimEnd() + "…" : s;
  const narrow = matchMedia("(max-width: 36rem)"); // a phone: the same letters in half the width
  const draw = () => {
    const list = rows(), height = 20;
    bars.replaceChildren();
    const [room, left, wide, letters] = narrow.matches ? [350, 115, 150, 16] : [620, 235, 290, 34];
    bars.setAttribute("viewBox", `0 0 ${room} ${Math.max(list.length, 1) * height + 16}`);
    const most = Math.max(...list.map((r) => Math.max(r.whole, r.part || 0)), 1e-9);
    const body = document.querySelector("#table tbody");
    body.replaceChildren();
    list.forEach((r, i) => {
      const y = 8 + i * height;
      const g = make("g", { class: r.term === word ? "row lit" : "row" }, bars);
      make("title", {}, g).textContent = r.term;
      make("text", { x: left - 8, y: y + 14, "text-anchor": "end" }, g).textContent = cut(r.term, letters);
      make("rect", { x: left, y: y + 3, height: height - 6, width: r.whole / most * wide, class: "whole" }, g);
      if (r.part !== null) make("rect", { x: left, y: y + 6, height: height - 12, width: r.part / most * wide, class: "part" }, g);
      make("text", { x: left + Math.max(r.whole, r.part || 0) / most * wide + 6, y: y + 14 }, g).textContent = r.part === null ? amount(r.whole) : amount(r.part) + " " + labels.said.of + " " + amount(r.whole);
      g.addEventListener("mouseenter", () => { word = r.term; resize(); });
      g.addEventListener("mouseleave", () => { word = terms.value; resize(); });
      const row = body.insertRow();
      const head = document.createElement("th");
      head.scope = "row";
      head.textContent = r.term;
      row.append(head);
      row.insertCell().textContent = r.part === null ? "" : amount(r.part);
      row.insertCell().textContent = amount(r.whole);
    });
    const kept = terms.value;
    terms.replaceChildren(new Option(labels.said.none, ""), ...list.map((r) => new Option(r.term, r.term)));
    terms.value = list.some((r) => r.term === kept) ? kept : "";
    word = terms.value;
    resize();
  };

  const choose = (topic) => {
    chosen = topic;
    topics.value = topic;
    bubbles.forEach((b, j) => b.setAttribute("aria-pressed", String(j + 1 === topic)));
    document.getElementById("bars-title").textContent = topic
      ? labels.said.relevant + " " + labels.ids[topic - 1] + " (" + data.mdsDat.Freq[topic - 1].toFixed(1) + " %)"
      : labels.said.salient;
    draw();
  };
  narrow.addEventListener("change", draw);
  topics.addEventListener("change", () => choose(Number(topics.value)));
  terms.addEventListener("change", () => { word = terms.value; resize(); });
  document.getElementById("previous").addEventListener("click", () => choose(chosen > 1 ? chosen - 1 : count));
  document.getElementById("next").addEventListener("click", () => choose(chosen % count + 1));
  document.getElementById("clear").addEventListener("click", () => choose(0));
  slider.addEventListener("input", () => { value.textContent = Number(slider.value).toFixed(2); draw(); });
  value.textContent = Number(slider.value).toFixed(2);
  choose(0);
  // Inside another page it says how tall it is, so that nothing is cut off and nothing left empty.
  // Browsers may draw a frame late, or not at all while it is out of sight, and then tell no observer.
  if (parent !== window) {
    const tell = () => parent.postMessage({ tall: document.documentElement.offsetHeight }, "*");
    tell();
    addEventListener("load", tell);
    new ResizeObserver(tell).observe(document.documentElement);
  }
})();
