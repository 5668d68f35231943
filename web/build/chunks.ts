/** Groups the libraries of the first screen and shared modules into a few files. All other modules go with their page. */

/** zod, and the schemas that most pages use. */
const schemaModules = [
  /node_modules\/zod\//,
  /lib\/zod-jitless/,
  /contracts\/src\/shared\//,
  /contracts\/src\/auth\/user\.ts/,
]

/** Small modules that most pages use. None of them imports another library. */
const sharedModules = [
  /web\/src\/lib\/http\.ts/,
  /web\/src\/lib\/session\.ts/,
  /web\/src\/lib\/storage\.ts/,
  /web\/src\/lib\/post-login-redirect\.ts/,
  /web\/src\/lib\/query-scope\.tsx/,
  /web\/src\/lib\/use-online\.ts/,
  /web\/src\/lib\/number-format\.ts/,
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

/** Modules that most pages of signed-in users share. */
const signedInModules = [
  /@tanstack\/(query-core|react-query)\//,
  /web\/src\/lib\/query\.ts/,
  /web\/src\/lib\/date-format\.ts/,
  /web\/src\/ui\/skeletons\.tsx/,
  /web\/src\/ui\/skip-link\.tsx/,
  /web\/src\/ui\/time\.tsx/,
  /web\/src\/ui\/type-badge\.tsx/,
]

/** Creating the theme takes as long as the rest of the application. */
const themeModules = [/web\/src\/app\/theme\/[a-z]+\.ts/]

const bottomNavigationModules = [/web\/src\/app\/layouts\/bottom-navigation\.tsx/]

const fieldModules = [/web\/src\/ui\/text-field\.tsx/]

const anyOf =
  (patterns: readonly RegExp[]) =>
  (module: string): boolean =>
    patterns.some((pattern) => pattern.test(module))

const initial = ['$initial' as const]

/** The page executes each file in a task of its own (src/start/start-after-paint.ts), so none of the first may be large. */
export const chunks = [
  { name: 'schema', test: anyOf(schemaModules), priority: 4 },
  {
    name: 'react',
    tags: initial,
    test: /node_modules\/(react|react-dom|react-router|react-router-dom|scheduler)\//,
    priority: 4,
  },
  { name: 'base', tags: initial, test: /node_modules|rolldown\/runtime/, priority: 3 },
  { name: 'pieces', test: anyOf(sharedModules), priority: 2 },
  { name: 'theme', test: anyOf(themeModules), priority: 2 },
  { name: 'signed-in', test: anyOf(signedInModules), priority: 1 },
  { name: 'bottom-navigation', test: anyOf(bottomNavigationModules), priority: 1 },
  { name: 'fields', test: anyOf(fieldModules), priority: 1 },
]

export const chunkPatterns: readonly RegExp[] = [
  ...schemaModules,
  ...sharedModules,
  ...signedInModules,
  ...themeModules,
  ...bottomNavigationModules,
  ...fieldModules,
]
