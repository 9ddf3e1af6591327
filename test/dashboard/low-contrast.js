// Runs in a page and gives its texts whose contrast with what is behind them is below 4.5 (WCAG 2, AA), each once.
(() => {
  const channels = (colour) => (colour.match(/[\d.]+/g) ?? []).map(Number);
  const luminance = (colour) =>
    channels(colour)
      .slice(0, 3)
      .map((value) => (value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4))
      .reduce((sum, value, at) => sum + value * ([0.2126, 0.7152, 0.0722][at] ?? 0), 0);
  const behind = (element) => {
    if (element === null) return "rgb(255, 255, 255)";
    const colour = getComputedStyle(element).backgroundColor;
    return (channels(colour)[3] ?? 1) > 0 ? colour : behind(element.parentElement);
  };
  const low = new Set();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (element === null || (texts.currentNode.textContent ?? "").trim() === "") continue;
    const { color, fill } = getComputedStyle(element);
    const isDrawn = element.namespaceURI === "http://www.w3.org/2000/svg";
    const [a, b] = [luminance(isDrawn ? fill : color), luminance(behind(element))].toSorted((x, y) => y - x);
    const ratio = ((a ?? 0) + 0.05) / ((b ?? 0) + 0.05);
    if (ratio < 4.5) low.add(`${element.tagName}.${element.getAttribute("class") ?? ""}: ${ratio.toFixed(2)}`);
  }
  return [...low];
})();
