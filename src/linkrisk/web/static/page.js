// What the views do without being reloaded: progress, files that are too large, time, commands copied. Without it all works.
"use strict";

const SECONDS_BETWEEN_LOOKS = 0.7;
const SECONDS_BETWEEN_WORDS = 8;
const NAMESPACE = "http://www.w3.org/2000/svg";

function found(within, name) {
  return within.querySelector(`[data-${name}]`);
}

// ---- How far a job is ----

function watchJob(section) {
  const watched = { address: section.dataset.progress, spoken: "", spokenAt: 0, misses: 0, state: "", told: null };
  addEventListener("resize", () => { if (watched.told) showCourse(section, watched.told); });
  const look = async () => {
    try {
      const answer = await fetch(watched.address, { headers: { Accept: "application/json" } });
      if (!answer.ok) {
        location.reload();
        return;
      }
      watched.misses = 0;
      if (show(section, await answer.json(), watched)) {
        return;
      }
    } catch {
      watched.misses += 1;
      if (watched.misses === 5) {
        speak(section, "linkrisk serve does not answer. Is it still running?", watched, true);
        const line = found(section, "line");
        if (line) line.textContent = "linkrisk serve does not answer. Is it still running?";
      }
    }
    setTimeout(look, 1000 * SECONDS_BETWEEN_LOOKS);
  };
  look();
}

function show(section, told, watched) {
  if (["done", "partial", "failed", "stopped"].includes(told.state)) {
    location.reload();
    return true;
  }
  if (watched.state && watched.state !== told.state && told.state === "stopping") {
    location.reload();
    return true;
  }
  watched.state = told.state;
  watched.told = told;
  const line = words(told);
  put(section, "line", line);
  put(section, "time", `${Math.round(told.seconds)} s${told.left ? `, ${told.left} left` : ""}`);
  const bar = found(section, "bar");
  if (bar && told.steps) bar.value = Math.max(0, Math.min(1, (told.step - 1 + told.share) / told.steps));
  showCourse(section, told);
  showDone(section, told.done);
  speak(section, `${line}. ${courseWords(told.course)}`, watched, false);
  return false;
}

function words(told) {
  if (told.state === "waiting") return `Waiting for ${told.waits_for} other job${told.waits_for === 1 ? "" : "s"}`;
  if (told.state === "stopping") return "Being stopped";
  const place = told.steps > 1 && told.step ? `Step ${Math.min(told.step, told.steps)} of ${told.steps}: ` : "";
  return `${place}${told.label || "Beginning"}`;
}

function courseWords(course) {
  if (!course.length) return "";
  const [, best, bound] = course[course.length - 1];
  return bound === null ? `Best ${amount(best)}, no bound yet.` : `Best ${amount(best)}, at most ${amount(bound)}.`;
}

function amount(value) {
  return value.toLocaleString("en", { maximumFractionDigits: 1 });
}

function put(section, name, text) {
  const place = found(section, name);
  if (place && place.textContent !== text) place.textContent = text;
}

// Screen readers are told now and then, not several times a second.
function speak(section, text, watched, isUrgent) {
  const now = Date.now() / 1000;
  if (text === watched.spoken || (!isUrgent && now - watched.spokenAt < SECONDS_BETWEEN_WORDS)) return;
  watched.spoken = text;
  watched.spokenAt = now;
  put(section, "live", text);
}

function showDone(section, done) {
  const list = found(section, "done-list");
  if (!list || list.children.length === done.length) return;
  found(section, "done").hidden = !done.length;
  for (const step of done.slice(list.children.length)) {
    const item = document.createElement("li");
    const best = step.best === null ? "" : `, best ${amount(step.best)}`;
    item.textContent = `${step.label}, ${step.seconds.toFixed(1)} s${best}`;
    list.append(item);
  }
}

// ---- The course of a search: the best from below, what is not ruled out from above ----

// As wide as there is room for, so that its text is as large on a narrow screen.
const FRAME = { narrowest: 280, widest: 736, height: 300, left: 64, right: 96, top: 14, bottom: 40 };

function showCourse(section, told) {
  const figure = found(section, "course");
  if (!figure) return;
  figure.hidden = told.course.length < 2;
  if (figure.hidden) return;
  put(section, "searched", `Last search: ${told.searched}`);
  put(section, "course-told", courseWords(told.course));
  const place = found(section, "drawn");
  const width = Math.min(Math.max(place.clientWidth, FRAME.narrowest), FRAME.widest);
  place.replaceChildren(drawCourse(told.course, width));
}

function drawCourse(course, width) {
  const end = width - FRAME.right;
  const bounds = course.map((point) => point[2]).filter((bound) => bound !== null);
  const bests = course.map((point) => point[1]);
  const most = Math.max(...bounds, ...bests, 1);
  const least = Math.max(0, Math.min(...bests) - 0.15 * (most - Math.min(...bests)));
  const last = Math.max(course[course.length - 1][0], 0.1);
  const x = (seconds) => FRAME.left + ((end - FRAME.left) * seconds) / last;
  const y = (links) => FRAME.top + ((FRAME.height - FRAME.top - FRAME.bottom) * (most - links)) / Math.max(most - least, 1e-9);
  const drawing = element("svg", { viewBox: `0 0 ${width} ${FRAME.height}`, role: "img", "aria-label": courseWords(course) });
  for (const links of ticks(least, most)) {
    drawing.append(element("line", { class: "grid", x1: FRAME.left, x2: end, y1: y(links), y2: y(links) }));
    drawing.append(label(amount(links), FRAME.left - 8, y(links) + 5, "end"));
  }
  drawing.append(label("0 s", FRAME.left, FRAME.height - 14, "start"));
  drawing.append(label(`${last.toFixed(1)} s`, end, FRAME.height - 14, "end"));
  const bounded = course.filter((point) => point[2] !== null);
  if (bounded.length) {
    const above = stairs(bounded.map((point) => [x(point[0]), y(point[2])]), x(last));
    const below = stairs(bounded.map((point) => [x(point[0]), y(point[1])]), x(last));
    drawing.append(element("path", { class: "between", d: `M${above.join("L")}L${below.reverse().join("L")}Z` }));
    drawing.append(element("path", { class: "bound-line", d: `M${above.join("L")}` }));
  }
  const best = stairs(course.map((point) => [x(point[0]), y(point[1])]), x(last));
  drawing.append(element("path", { class: "best-line", d: `M${best.join("L")}` }));
  nameEnds(drawing, course[course.length - 1], end + 8, y);
  return drawing;
}

// The two numbers at the end, apart from each other also where they meet.
function nameEnds(drawing, [, best, bound], place, y) {
  const low = y(best) + 5;
  const high = bound === null ? low : Math.min(y(bound) + 5, low - 18);
  drawing.append(label(amount(best), place, low, "start", "value"));
  if (bound !== null && bound > best) drawing.append(label(`≤ ${amount(bound)}`, place, high, "start", "value"));
}

function stairs(points, end) {
  const steps = [];
  points.forEach(([x, y], place) => {
    if (place) steps.push(`${x},${points[place - 1][1]}`);
    steps.push(`${x},${y}`);
  });
  steps.push(`${end},${points[points.length - 1][1]}`);
  return steps;
}

function ticks(least, most) {
  const rough = Math.max((most - least) / 4, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
  const first = Math.ceil(least / step);
  return Array.from({ length: Math.floor(most / step) - first + 1 }, (_, place) => (first + place) * step);
}

function element(name, attributes) {
  const made = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function label(text, x, y, anchor, kind) {
  const made = element("text", { x, y, "text-anchor": anchor });
  if (kind) made.setAttribute("class", kind);
  made.textContent = text;
  return made;
}

// ---- Forms ----

function checkSizes(form) {
  const most = Number(form.dataset.uploadLimit) * 1024 * 1024;
  const mistake = found(form, "upload-mistake");
  form.addEventListener("submit", (event) => {
    const files = [...form.querySelectorAll("input[type=file]")].flatMap((input) => [...input.files]);
    const bytes = files.reduce((sum, file) => sum + file.size, 0);
    mistake.hidden = bytes <= most;
    if (bytes > most) {
      event.preventDefault();
      mistake.textContent = `The files are larger than ${amount(Number(form.dataset.uploadLimit))} MB together. Start linkrisk serve with --upload-limit and a larger number of megabytes, or give files with fewer records.`;
    }
  });
}

function sendOnce(form) {
  form.addEventListener("submit", (event) => {
    if (event.defaultPrevented) return;
    setTimeout(() => form.querySelectorAll("button").forEach((button) => { button.disabled = true; }));
  });
  // A page that the browser has kept comes back with its buttons as they were.
  addEventListener("pageshow", () => form.querySelectorAll("button").forEach((button) => { button.disabled = false; }));
}

function askBefore(button) {
  button.form.addEventListener("submit", (event) => {
    if (!confirm(button.dataset.ask)) event.preventDefault();
  });
}

function tellTotalTime(place) {
  const form = place.closest("form");
  const tell = () => {
    const seconds = Number(form.elements.time_limit.value.replace(",", "."));
    const total = seconds * form.querySelectorAll("[data-learned]:checked").length * form.querySelectorAll("[data-scale]:checked").length;
    const isKnown = Number.isFinite(total) && total > 0;
    const told = total < 90 ? `${amount(total)} s` : `${amount(total / 60)} min`;
    place.textContent = isKnown ? `As chosen now, learning takes at most ${told}.` : "";
  };
  form.addEventListener("input", tell);
  tell();
}

function offerCopy(command) {
  if (!navigator.clipboard) return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "second copy";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(command.querySelector("code").textContent);
    button.textContent = "Copied";
  });
  command.append(button);
}

document.querySelectorAll("[data-ask]").forEach(askBefore);
document.querySelectorAll("[data-upload-limit]").forEach(checkSizes);
document.querySelectorAll("form").forEach(sendOnce);
document.querySelectorAll("[data-progress]").forEach(watchJob);
document.querySelectorAll("[data-total-time]").forEach(tellTotalTime);
document.querySelectorAll(".command").forEach(offerCopy);
