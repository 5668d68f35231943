/**
 * Runs in each page. Does to each text what a browser does that translates a page: puts elements of its own in its place, also for
 * texts that come later. The words stay, so that a journey finds them.
 */
{
  const isLeft = (parent) =>
    parent === null ||
    parent.closest('script, style, noscript, textarea, title, svg, option, [translate="no"], font') !== null

  const replace = (text) => {
    if (isLeft(text.parentElement) || text.data.trim() === '') return
    const outer = document.createElement('font')
    const inner = document.createElement('font')
    inner.textContent = text.data
    outer.append(inner)
    text.replaceWith(outer)
  }

  const replaceIn = (node) => {
    const texts = node instanceof Text ? [node] : []
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) texts.push(walker.currentNode)
    texts.forEach(replace)
  }

  new MutationObserver((mutations) => {
    for (const { target, addedNodes } of mutations) {
      if (target instanceof Text && target.isConnected) replace(target)
      for (const node of addedNodes) if (node.isConnected) replaceIn(node)
    }
  }).observe(document, { subtree: true, childList: true, characterData: true })
}
