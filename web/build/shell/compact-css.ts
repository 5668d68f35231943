import { spaceUnit } from '../../src/app/theme/tokens.ts'

/** A shell neither reacts nor moves, so these rules never apply. */
const reactiveSelector = /:hover|:focus|:active|:disabled|:-moz|::-moz|\.Mui|\[data-placement|@starting-style/
const unusedDeclaration = /^-(?:webkit|moz|ms)-|^(?:transition|animation|outline|cursor|user-select|appearance)/
/** What elements of the shell have without a rule, by default or from the page. */
const initialDeclaration =
  /^(?:font-family:"Figtree|font-weight:400$|text-transform:none|letter-spacing:0$|box-shadow:(?:none|var\(--portal-shadows-2\))|border:0$|box-sizing|vertical-align)/
const prefixedValue = /:-(?:webkit|moz|ms)-/

/** Far below what moves a line by a part of a pixel. */
const rounded = (number: string): string => String(Number(Number(number).toFixed(4)))

/** A variable may be part of a sum, which needs the unit. */
const shortened = (declaration: string): string =>
  declaration.startsWith('--')
    ? declaration
    : declaration
        .replaceAll(/\d+\.\d{5,}/g, rounded)
        .replaceAll(/(?<=[: ])0px(?= |$)/g, '0')
        .replaceAll(/(?<![\d.])0(?=\.\d)/g, '')

const nameOf = (declaration: string): string => declaration.slice(0, declaration.indexOf(':'))

/** MUI's buttons declare the colors of each variant, and use those of one. */
const isUnusedVariable = (declaration: string, all: string): boolean =>
  declaration.startsWith('--variant-') && !all.includes(`var(${nameOf(declaration)}`)

const compactDeclarations = (declarations: string): string => {
  const kept = declarations
    .split(';')
    .filter(
      (text) =>
        text !== '' && !unusedDeclaration.test(text) && !prefixedValue.test(text) && !initialDeclaration.test(text),
    )
  // Of two declarations of a property, the last one applies.
  const last = new Map(kept.map((declaration, n) => [nameOf(declaration), n]))
  const applied = kept.filter((declaration, n) => last.get(nameOf(declaration)) === n)
  const all = applied.join(';')
  return applied
    .filter((text) => !isUnusedVariable(text, all))
    .map(shortened)
    .join(';')
}

/** The variable has one value, so its factor is a distance. */
const spacing = /calc\((-?[\d.]+) \* var\(--portal-spacing\)\)|var\(--portal-spacing\)/g

/** Two blocks in a row with the same condition. */
const repeatedCondition = /(@media[^{}]+)\{((?:[^{}]+\{[^{}]*\})+)\}\1\{/
const emptyBlock = /@[^{}]+\{\}/
const unusedBlock = /@(?:-webkit-)?keyframes [^{}]+\{(?:[^{}]+\{[^{}]*\})*\}|@media print\{(?:[^{}]+\{[^{}]*\})*\}/g

/**
 * Removes what a shell does not need from rules that Emotion has generated: prefixes, states, transitions, and rules of classes
 * that no element has.
 */
export const compactCss = (css: string, usedClasses: ReadonlySet<string>): string => {
  const applies = (selector: string): boolean =>
    !reactiveSelector.test(selector) &&
    [...selector.matchAll(/\.(css-[\w-]+)/g)].every(([, name = '']) => usedClasses.has(name))
  let compact = css
    .replaceAll(unusedBlock, '')
    .replaceAll(spacing, (_whole, factor: string | undefined) => `${Number(factor ?? 1) * spaceUnit}px`)
    .replaceAll(/([^{}]+)\{([^{}]*)\}/g, (_rule, selectors: string, declarations: string) => {
      // A selector may contain commas in parentheses.
      const kept = selectors.split(/,(?![^(]*\))/).filter(applies)
      const body = compactDeclarations(declarations)
      return kept.length === 0 || body === '' ? '' : `${kept.join(',')}{${body}}`
    })
  compact = compact.replaceAll(', ', ',')
  while (repeatedCondition.test(compact)) compact = compact.replace(repeatedCondition, '$1{$2')
  while (emptyBlock.test(compact)) compact = compact.replace(emptyBlock, '')
  return compact
}
