import { knownApis, nameOf } from './lacking.ts'
import { polyfilled } from './supported.ts'

/**
 * A lint rule for code in browsers; oxlint loads it as a plugin. It forbids to call, construct and read from globals, and their
 * members, that one of the oldest supported browsers lacks, unless the portal adds them or the file asks whether they are there:
 * `'x' in y`, `typeof x` or `x?.()`. Methods of values are left to the types (`lib` in web/tsconfig.json) and to the journeys
 * without what old browsers lack.
 */
const lacking = new Set(knownApis.filter(({ isSupported }) => !isSupported).map(nameOf))
for (const name of polyfilled) lacking.delete(name)

const interfaces = { crypto: 'Crypto', document: 'Document', history: 'History', navigator: 'Navigator' }

const isIdentifier = ({ type }) => type === 'Identifier'
const isWindow = (node) => isIdentifier(node) && /^(window|globalThis|self)$/.test(node.name)

/** Whether the file itself declares a variable of this name. */
const isDeclared = (scope, name) => {
  for (let at = scope; at; at = at.upper) if (at.set.get(name)?.defs.length > 0) return true
  return false
}

const apiOf = ({ type, name, object, property, computed }) => {
  if (type === 'Identifier') return name
  if (type !== 'MemberExpression' || computed || !isIdentifier(property)) return ''
  if (isWindow(object)) return property.name
  if (!isIdentifier(object)) return ''
  const owner = interfaces[object.name]
  return owner ? `${owner}.prototype.${property.name}` : `${object.name}.${property.name}`
}

const supported = {
  create: (context) => {
    const used = []
    const guarded = new Set()
    const last = (api) => api.split('.').at(-1)
    const use = (node) => {
      const api = apiOf(node)
      if (lacking.has(api) && !isDeclared(context.sourceCode.getScope(node), node.name)) used.push({ node, api })
    }
    return {
      CallExpression: ({ callee, optional }) => {
        if (optional) guarded.add(last(apiOf(callee)))
        use(callee)
      },
      NewExpression: ({ callee }) => use(callee),
      MemberExpression: (node) => {
        if (isIdentifier(node.object) && lacking.has(node.object.name)) use(node.object)
        else if (node.parent.type !== 'CallExpression' || node.parent.callee !== node) use(node)
      },
      BinaryExpression: ({ operator, left }) => {
        if (operator === 'in' && left.type === 'Literal') guarded.add(left.value)
      },
      UnaryExpression: ({ operator, argument }) => {
        if (operator === 'typeof' && isIdentifier(argument)) guarded.add(argument.name)
      },
      Literal: (node) => {
        if (/\(\?<[=!]/.test(node.regex?.pattern ?? ''))
          context.report({ node, message: 'Safari 15.4 has no look-behind' })
        if (node.regex?.flags.includes('v')) context.report({ node, message: 'Chrome 100 has no flag v' })
      },
      'Program:exit': () => {
        for (const { node, api } of used)
          if (!api.split('.').some((part) => guarded.has(part)))
            context.report({ node, message: `${api} is missing in a supported browser (web/browsers/supported.ts)` })
      },
    }
  },
}

export default { meta: { name: 'browsers' }, rules: { supported } }
