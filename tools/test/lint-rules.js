/**
 * Lint rules for tests; oxlint loads them as a plugin. A limit below ten seconds makes a busy machine a fault of the commit, and costs
 * nothing when the test passes.
 */
const leastMs = 10_000

/** Waits of vitest, Testing Library and Playwright: `waitFor(…)`, `expect.poll(…)`, `toBeVisible(…)`, `locator.waitFor(…)`. */
const waits =
  /^(waitFor(URL|Function|Response|Request|Selector|Event)?|find(All)?By[A-Z]\w*|poll|until|eventually|to(Be|Have|Contain|Match)[A-Z]\w*)$/

const nameOf = (callee) => {
  if (callee.type === 'Identifier') return callee.name
  return callee.type === 'MemberExpression' && callee.property.type === 'Identifier' ? callee.property.name : undefined
}

const isLimit = ({ type, key }) =>
  type === 'Property' && key.type === 'Identifier' && (key.name === 'timeout' || key.name === 'timeoutMs')

const longWaits = {
  create: (context) => ({
    CallExpression: ({ callee, arguments: given }) => {
      if (!waits.test(nameOf(callee) ?? '')) return
      for (const { type, properties } of given) {
        if (type !== 'ObjectExpression') continue
        for (const property of properties) {
          if (!isLimit(property) || property.value.type !== 'Literal') continue
          if (typeof property.value.value === 'number' && property.value.value < leastMs)
            context.report({ node: property, message: `A wait has at least ${leastMs} ms: leave out its limit` })
        }
      }
    },
  }),
}

export default { meta: { name: 'tests' }, rules: { 'long-waits': longWaits } }
