/**
 * Lint rules for journeys; oxlint loads them as a plugin. A page changes while a journey reads it, so an assertion takes the locator
 * and waits. Without `await`, it would check nothing.
 */
const reads =
  /^(allInnerTexts|allTextContents|count|getAttribute|innerText|inputValue|is(Checked|Disabled|Editable|Enabled|Hidden|Visible)|textContent|title|url)$/

const waitingMatchers =
  /^to(Be(Attached|Checked|Disabled|Editable|Empty|Enabled|Focused|Hidden|InViewport|Visible)|ContainText|Have(Accessible\w+|Attribute|CSS|Class|Count|Id|Role|Text|Title|URL|Values?)|Pass)$/

const methodOf = ({ type, callee }) =>
  type === 'CallExpression' && callee.type === 'MemberExpression' && callee.property.type === 'Identifier'
    ? callee.property.name
    : ''

const isExpect = ({ type, callee }) =>
  type === 'CallExpression' && callee.type === 'Identifier' && callee.name === 'expect'

/** Whether the matcher belongs to `expect.poll(…)`, maybe with `not` between. */
const isPolled = ({ callee: { object } }) => {
  const call = object.type === 'MemberExpression' ? object.object : object
  return methodOf(call) === 'poll' && call.callee.object.name === 'expect'
}

const isInside = (node, matches) => {
  for (let at = node.parent; at; at = at.parent) if (matches(at)) return true
  return false
}

/** Attempts of `until` read the page again and again. */
const isUntil = ({ type, callee }) =>
  type === 'CallExpression' && callee.type === 'Identifier' && callee.name === 'until'

const noReadsInExpect = {
  create: (context) => ({
    CallExpression: (node) => {
      const method = methodOf(node)
      if (!reads.test(method) || isInside(node, isUntil)) return
      for (let at = node; at.parent; at = at.parent) {
        if (at.type === 'ArrowFunctionExpression' || at.type === 'FunctionExpression' || at.type.endsWith('Statement'))
          return
        if (!isExpect(at.parent) || at.parent.arguments[0] !== at) continue
        context.report({
          node,
          message: `The page may still change: expect the locator or the page, not its ${method}()`,
        })
        return
      }
    },
  }),
}

const awaited = {
  create: (context) => ({
    CallExpression: (node) => {
      const method = methodOf(node)
      if (!method.startsWith('to') || !(waitingMatchers.test(method) || isPolled(node))) return
      if (!/^(AwaitExpression|ReturnStatement|ArrowFunctionExpression|ArrayExpression)$/.test(node.parent.type))
        context.report({ node, message: `${method} waits: without await, nothing is checked` })
    },
  }),
}

export default { meta: { name: 'journeys' }, rules: { 'no-reads-in-expect': noReadsInExpect, awaited } }
