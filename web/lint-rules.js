/**
 * Lint rules for pages; oxlint loads them as a plugin. A browser that translates a page wraps each text in elements of its own. Then
 * React changes a text that is no longer on the page, so it never shows, or inserts beside it, which fails and takes the page down.
 * A text that is the only child of its element is replaced as a whole, and keeps up.
 */
const isBlank = ({ type, value }) => type === 'JSXText' && value.trim() === ''
const isEmpty = ({ type, expression }) => type === 'JSXExpressionContainer' && expression.type === 'JSXEmptyExpression'

/** Whether the expression is a text in one of its branches, as far as the syntax says. */
const isTextual = (expression) => {
  switch (expression.type) {
    case 'Literal':
      return typeof expression.value === 'string'
        ? expression.value.trim() !== ''
        : typeof expression.value === 'number'
    case 'TemplateLiteral':
      return true
    case 'ConditionalExpression':
      return isTextual(expression.consequent) || isTextual(expression.alternate)
    case 'LogicalExpression':
      return isTextual(expression.right)
    case 'BinaryExpression':
      return expression.operator === '+'
    default:
      return false
  }
}

const isText = (child) =>
  child.type === 'JSXText' || (child.type === 'JSXExpressionContainer' && isTextual(child.expression))

/** Whether the child can change: React then inserts, removes or rewrites it beside the text. */
const isDynamic = ({ type, expression }) => type === 'JSXExpressionContainer' && expression.type !== 'Literal'

/** They place their children beside parts of their own, such as an icon. */
const withParts = new Set(['Button', 'ButtonBase', 'ListItemButton', 'MenuItem', 'Tab', 'ToggleButton'])

const isElement = (expression) => {
  switch (expression.type) {
    case 'JSXElement':
    case 'JSXFragment':
      return true
    case 'ConditionalExpression':
      return [expression.consequent, expression.alternate].every((one) => isElement(one) || one.value === null)
    case 'LogicalExpression':
      return isElement(expression.right)
    case 'CallExpression':
      return expression.callee.type === 'MemberExpression' && expression.callee.property.name === 'map'
    default:
      return false
  }
}

const nameOf = ({ openingElement }) => openingElement?.name.name

const checkChildren = (context) => (node) => {
  const children = node.children.filter((child) => !isBlank(child) && !isEmpty(child))
  if (withParts.has(nameOf(node))) {
    const changing = children.find((child) => isDynamic(child) && !isElement(child.expression))
    if (changing)
      context.report({
        node: changing,
        message: `A text in a ${nameOf(node)} that can change needs an element of its own`,
      })
  }
  if (children.length < 2) return
  const text = children.find(isText)
  if (text && children.some(isDynamic))
    context.report({
      node: text,
      message: 'A text beside what can change breaks in a translated page: give it an element, or make it one text',
    })
}

const isPiece = ({ parent }) =>
  parent.type === 'ArrowFunctionExpression' && parent.parent.callee?.property?.name === 'map'

/** `pieces.map((piece) => (isHit(piece) ? <mark>{piece}</mark> : piece))` */
const checkPieces = (context) => (node) => {
  if (!isPiece(node)) return
  const [elements, texts] = [[], []]
  for (const branch of [node.consequent, node.alternate])
    if (isElement(branch)) elements.push(branch)
    else if (branch.value !== null) texts.push(branch)
  for (const text of elements.length > 0 ? texts : [])
    context.report({ node: text, message: 'An element or a text: give the text an element, too' })
}

const bareText = {
  create: (context) => ({
    JSXElement: checkChildren(context),
    JSXFragment: checkChildren(context),
    ConditionalExpression: checkPieces(context),
  }),
}

export default { meta: { name: 'pages' }, rules: { 'bare-text': bareText } }
