import bcd from '@mdn/browser-compat-data' with { type: 'json' }
import type { Identifier, SimpleSupportStatement, SupportBlock } from '@mdn/browser-compat-data'
import { oldestBrowsers } from './supported.ts'

type Version = readonly number[]
const versionOf = (text: string): Version => text.replace('≤', '').split('.').map(Number)
const isAtMost = (one: Version, other: Version): boolean => {
  const at = one.findIndex((part, n) => part !== (other[n] ?? 0))
  return at < 0 || (one[at] ?? 0) < (other[at] ?? 0)
}

/** Whether a browser has it under its own name, without a setting of the user. */
const isGeneral = ({ flags, prefix, alternative_name: otherName }: SimpleSupportStatement) =>
  !flags && prefix === undefined && otherName === undefined

const supports = (support: SupportBlock, browser: keyof typeof oldestBrowsers): boolean => {
  const oldest = versionOf(oldestBrowsers[browser])
  const isSince = (version: SimpleSupportStatement['version_added'] | undefined) =>
    typeof version === 'string' && version !== 'preview' && isAtMost(versionOf(version), oldest)
  const statements = [support[browser] ?? []].flat()
  return statements.some((one) => isGeneral(one) && isSince(one.version_added) && !isSince(one.version_removed))
}

const browsers = Object.keys(oldestBrowsers) as readonly (keyof typeof oldestBrowsers)[]
const isSupported = ({ __compat: compat }: Identifier): boolean =>
  !compat || browsers.every((browser) => supports(compat.support, browser))

/** An API of browsers or of the language: a global, or a member of one. */
type Api = {
  readonly owner: string
  readonly member?: string
  /** Whether it belongs to the owner itself, as `Response.json` does. Unknown for members of the language. */
  readonly isStatic?: boolean
  readonly isSupported: boolean
}

const identifier = /^[A-Za-z]\w*$/
const membersOf = (api: Identifier): readonly (readonly [string, Identifier])[] =>
  Object.entries<Identifier>(api).filter(([key]) => identifier.test(key) && !key.endsWith('_event'))

/** Not each object has a constructor of its own name. */
const isConstructible = (owner: string, api: Identifier): boolean => isSupported(api[owner] ?? {})

type Group = 'browser' | 'language'

const memberOf = (group: Group, owner: string, [key, member]: readonly [string, Identifier]): Api => {
  const name = key.replace(/_static$/, '')
  // What is a member of the window is also a global.
  if (owner === 'Window') return { owner: name, isSupported: isSupported(member) }
  return {
    owner,
    member: name,
    ...(group === 'browser' && { isStatic: name !== key }),
    isSupported: isSupported(member),
  }
}

const apisOf = (group: Group, part: Identifier): readonly Api[] =>
  membersOf(part).flatMap(([owner, api]): Api[] => [
    { owner, isSupported: isSupported(api) && isConstructible(owner, api) },
    ...membersOf(api)
      .filter(([key]) => key !== owner)
      .map((member) => memberOf(group, owner, member)),
  ])

/** All that is known, with whether each of the oldest supported browsers has it. */
export const knownApis: readonly Api[] = [
  ...apisOf('browser', bcd.api),
  ...apisOf('language', bcd.javascript['builtins'] ?? {}),
]

/** The name in code. A static member and one of the instances may share it: `Response.json`. */
export const nameOf = ({ owner, member, isStatic }: Api): string => {
  if (member === undefined) return owner
  return isStatic === false ? `${owner}.prototype.${member}` : `${owner}.${member}`
}
