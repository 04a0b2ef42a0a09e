extension Browser {
    /// What is wrong with the look of the page: texts that overlap, are cut or leave the screen, and
    /// targets that are too small for a thumb.
    func layoutFaults() async throws -> [String] {
        let found: [String]? = try await evaluate(Self.script)
        return found ?? ["no answer"]
    }

    /// The ink of each line of text is what its font draws of the characters, not the height of the line.
    private static let script = """
        (() => {
          const brush = document.createElement('canvas').getContext('2d');
          const isShown = (element) => element.checkVisibility({ visibilityProperty: true })
            && !element.closest('.spoken, noscript, option');
          const ink = (words, style, { left, right, top }) => {
            brush.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
            const box = brush.measureText(words);
            const base = top + box.fontBoundingBoxAscent;
            return { left, right, top: base - box.actualBoundingBoxAscent,
              bottom: base + box.actualBoundingBoxDescent };
          };
          const texts = [];
          const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
          while (walker.nextNode()) {
            const node = walker.currentNode;
            const element = node.parentElement;
            if (!node.data.trim() || !isShown(element)) continue;
            const range = document.createRange();
            range.selectNodeContents(node);
            for (const box of range.getClientRects()) {
              texts.push({ element, words: node.data,
                ...ink(node.data, getComputedStyle(element), box) });
            }
          }
          const faults = [];
          texts.forEach((one, place) => {
            if (one.left < -1 || one.right > innerWidth + 1) faults.push(`outside: ${one.words}`);
            for (const other of texts.slice(place + 1)) {
              const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
              const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
              if (one.element !== other.element && across > 1 && down > 1) {
                faults.push(`overlap: ${one.words} | ${other.words}`);
              }
            }
          });
          for (const element of document.querySelectorAll('body *')) {
            if (!isShown(element) || !element.innerText) continue;
            const hides = getComputedStyle(element).overflow !== 'visible';
            if (hides && element.scrollWidth > element.clientWidth + 1) {
              faults.push(`cut: ${element.innerText}`);
            }
          }
          for (const target of document.querySelectorAll('button, select, a, summary')) {
            const { width, height } = target.getBoundingClientRect();
            if (isShown(target) && Math.min(width, height) < 48) {
              faults.push(`small: ${target.innerText} ${width} × ${height}`);
            }
          }
          const excess = document.documentElement.scrollWidth - innerWidth;
          return excess > 0 ? [...faults, `wider than the screen by ${excess}`] : faults;
        })()
        """
}
