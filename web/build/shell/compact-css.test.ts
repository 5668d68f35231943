// @vitest-environment node
import { expect, it } from 'vitest'
import { compactCss } from './compact-css.ts'

const used = new Set(['css-a'])

it('keeps what a still page shows', () => {
  const css = '.css-a{display:grid;gap:4px}@media (min-width:960px){.css-a .home,.css-a>b{color:red}}'
  expect(compactCss(css, used)).toBe(css)
})

it('removes prefixes, states, transitions, and declarations that a later one replaces', () => {
  expect(
    compactCss('.css-a{display:-webkit-box;display:flex;-webkit-flex:1;flex:1;transition:all 1s;flex:2}', used),
  ).toBe('.css-a{display:flex;flex:2}')
  expect(
    compactCss('.css-a:hover,.css-a.Mui-disabled{color:red}@media (hover: none){.css-a:hover{color:blue}}', used),
  ).toBe('')
  expect(compactCss('.css-a{color:var(--variant-x);--variant-x:red;--variant-y:blue}', used)).toBe(
    '.css-a{color:var(--variant-x);--variant-x:red}',
  )
})

it('removes variables that only a replaced declaration used, and zeros that mean nothing', () => {
  expect(compactCss('.css-a{color:var(--variant-x);--variant-x:red;color:blue}', used)).toBe('.css-a{color:blue}')
  expect(compactCss('.css-a{gap:0px 40px;line-height:0.98;--below:0px;width:10.5px}', used)).toBe(
    '.css-a{gap:0 40px;line-height:.98;--below:0px;width:10.5px}',
  )
})

it('rounds what a browser would round', () => {
  expect(compactCss('.css-a{line-height:1.4285714285714286;font-size:0.8125rem}', used)).toBe(
    '.css-a{line-height:1.4286;font-size:.8125rem}',
  )
})

it('removes the rules of classes that no element has, of print, and of animations', () => {
  expect(compactCss('.css-b{color:red}.css-a .css-b{color:red}@media print{.css-a{color:red}}', used)).toBe('')
  expect(compactCss('@keyframes turn{from{opacity:0}to{opacity:1}}.css-a{animation:turn 1s;color:red}', used)).toBe(
    '.css-a{color:red}',
  )
})
