import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'vite'
import { buildTarget } from '../../browsers/supported.ts'
import { renderShells, type Shells } from './render-shells.tsx'

const sourceOf = (name: string): string => fileURLToPath(new URL(`../../src/shell/${name}.ts`, import.meta.url))

/** A script of its own, most of them inline; the gateway allows those by their hashes. */
export const bundleScript = async (
  name: 'polyfills' | 'request-early' | 'show-shell' | 'start-after-paint',
): Promise<string> => {
  const source = sourceOf(name)
  const output = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    build: { write: false, target: buildTarget, rolldownOptions: { input: source, output: { format: 'iife' } } },
  })
  const chunk = 'output' in output ? output.output[0] : undefined
  if (!chunk) throw new Error(`Vite built no chunk for ${source}`)
  return chunk.code.trim()
}

/** Covers the page until it has content, and is opaque, so that a half-loaded page never shows. */
const ownCss =
  '#shell{position:fixed;inset:0;z-index:1300;overflow:hidden;background:var(--portal-palette-background-default)}' +
  '#shell:empty{display:none}' +
  '#shell:not([data-fonts]) :is(dl,[data-settles]){visibility:hidden}' +
  // In the final font, some lines of the page's copy are a few pixels wider, and Chromium would measure the same text as a
  // new largest paint, seconds later. The transparent rim makes the first paint the larger one; nothing on the screen changes.
  '#shell p{text-shadow:0 0 8px transparent}'

/** Templates do nothing without a script: a browser without JavaScript shows the text of `noscript`. */
export const shellMarkup = ({ css, pages }: Shells, script: string): string =>
  [
    `<div id="shell" aria-hidden="true"></div>`,
    ...pages.map(({ kind, html }) => `<template id="shell-${kind}">${html}</template>`),
    `<style>${ownCss}${css}</style>`,
    `<script>${script}</script>`,
  ].join('')

const root = '<div id="root"></div>'

/** Puts the shells before the root of the application. */
export const shellInPage = (): Plugin => ({
  name: 'portal-shell-in-page',
  transformIndexHtml: {
    order: 'post',
    handler: async (html) => {
      if (!html.includes(root)) throw new Error('index.html has no root')
      const markup = shellMarkup(renderShells(), await bundleScript('show-shell'))
      return {
        html: html.replace(root, () => markup + root),
        tags: [{ tag: 'script', children: await bundleScript('request-early'), injectTo: 'head-prepend' }],
      }
    },
  },
})
