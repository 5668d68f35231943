/** Few files instead of dozens: the libraries that the first screen stands on, and what most pages share. The rest goes with its page. */

/** Small pieces that most pages show, and none that brings a library of its own. */
const mostPages = [
  /contracts\/src\/shared\//,
  /contracts\/src\/auth\//,
  /web\/src\/lib\/http\.ts/,
  /web\/src\/lib\/session\.ts/,
  /web\/src\/lib\/storage\.ts/,
  /web\/src\/lib\/post-login-redirect\.ts/,
  /web\/src\/lib\/query-scope\.tsx/,
  /web\/src\/lib\/use-online\.ts/,
  /web\/src\/app\/offline-notice\.tsx/,
  /web\/src\/ui\/icons\.tsx/,
  /web\/src\/ui\/toast\/atoms\.ts/,
  /web\/src\/ui\/brand\.tsx/,
  /web\/src\/ui\/brand-shape\.ts/,
  /web\/src\/ui\/busy-button\.tsx/,
  /web\/src\/ui\/page-title\.tsx/,
  /web\/src\/ui\/visually-hidden\.tsx/,
  /@mui\/material\/Link\//,
]

/** And what they show to whoever is signed in. */
const signedInPages = [
  /@tanstack\/(query-core|react-query)\//,
  /web\/src\/lib\/query\.ts/,
  /web\/src\/ui\/skeletons\.tsx/,
  /web\/src\/ui\/skip-link\.tsx/,
  /web\/src\/ui\/time\.tsx/,
  /web\/src\/ui\/type-badge\.tsx/,
]

/** The bar of the learners' pages, with the count that it bears. */
const learnersBar = [/web\/src\/app\/layouts\/bottom-bar\.tsx/]

/** What every form is made of. */
const fields = [/web\/src\/ui\/text-field\.tsx/]

const anyOf =
  (patterns: readonly RegExp[]) =>
  (module: string): boolean =>
    patterns.some((pattern) => pattern.test(module))

export const chunks = [
  { name: 'base', tags: ['$initial' as const], test: /node_modules|rolldown\/runtime|lib\/zod-jitless/, priority: 3 },
  { name: 'pieces', test: anyOf(mostPages), priority: 2 },
  { name: 'signed-in', test: anyOf(signedInPages), priority: 1 },
  { name: 'bottom-bar', test: anyOf(learnersBar), priority: 1 },
  { name: 'fields', test: anyOf(fields), priority: 1 },
]

export const chunkPatterns: readonly RegExp[] = [...mostPages, ...signedInPages, ...learnersBar, ...fields]
