#!/bin/sh
# eslint-plugin-compat passes static methods that its target browsers lack, among them AbortSignal.any, URL.canParse and
#   Promise.withResolvers, although it installs data that say so.
#
# Guess, written before it was tried: it reports each API that a target lacks by @mdn/browser-compat-data, which it depends on,
#   static methods included; its README names Promise and fetch as examples.
# Versions: eslint 9.39.5, eslint-plugin-compat 7.0.2 (with ast-metadata-inferer 0.8.1).
# Behavior: with Safari 15.4, Chrome 100 and Firefox 100 it reports the global function, and none of the static methods.
# Output seen:
#   reported      requestIdleCallback
#   not reported  AbortSignal.any, AbortSignal.timeout, Object.groupBy, Promise.withResolvers, URL.canParse
# Source: lib/esm/src/providers/mdn-provider.js: an API counts as supported if compat.json of ast-metadata-inferer does not have
#   it. That list ends before these methods, so the newest APIs are the ones that pass.
# What the portal does: a rule of its own, web/browsers/lint-rules.js, reads @mdn/browser-compat-data itself.
#
# Fails if this has changed. Needs Node 22 or newer, npm and the network.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund eslint@9.39.5 eslint-plugin-compat@7.0.2
cat >code.js <<'JS'
requestIdleCallback(() => undefined)
AbortSignal.any([])
AbortSignal.timeout(1)
Object.groupBy([], String)
Promise.withResolvers()
URL.canParse('https://example.com')
JS
cat >check.mjs <<'JS'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { ESLint } from 'eslint'
import compat from 'eslint-plugin-compat'

const settings = { targets: ['chrome 100', 'firefox 100', 'safari 15.4'], lintAllEsApis: true }
const eslint = new ESLint({
  overrideConfigFile: true,
  overrideConfig: [{ ...compat.configs['flat/recommended'], settings }],
})
const [{ messages }] = await eslint.lintFiles(['code.js'])
const calls = readFileSync('code.js', 'utf8').split('\n').slice(0, -1)
const lines = new Set(messages.map(({ line }) => line))
const names = (isReported) =>
  calls.filter((_, n) => lines.has(n + 1) === isReported).map((call) => call.slice(0, call.indexOf('(')))
console.log(`reported      ${names(true).join(', ')}\nnot reported  ${names(false).join(', ')}`)
assert.deepEqual(names(true), ['requestIdleCallback'])
assert.equal(names(false).length, 5)
JS
node check.mjs
