/** Groups the libraries of the first screen and shared modules into a few files. All other modules go with their page. */

/** zod, and the schemas that most pages use. */
const schemaModules = [
  /node_modules\/zod\//,
  /lib\/zod-jitless/,
  // What only forms of admins need goes with them.
  /contracts\/src\/shared\/(?!https-address|idempotency|image-url|india-time|languages|name-key|page\.)/,
  /contracts\/src\/auth\/user\.ts/,
]

/** Small modules that most pages use. None of them imports another library. */
const sharedModules = [
  /vite\/preload-helper/,
  /web\/src\/lib\/http\.ts/,
  /web\/src\/lib\/load-module\.ts/,
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
  /web\/src\/ui\/is-typing\.ts/,
  /web\/src\/ui\/keep-place\.ts/,
  /web\/src\/ui\/page-title\.tsx/,
  /web\/src\/ui\/shortcut-key\.ts/,
  /web\/src\/ui\/states\.tsx/,
  /web\/src\/ui\/visually-hidden\.tsx/,
]

/** Modules that most pages of signed-in users share. */
const signedInModules = [
  /@tanstack\/(query-core|react-query)\//,
  /web\/src\/lib\/query\.ts/,
  /web\/src\/lib\/date-format\.ts/,
  /web\/src\/lib\/use-media\.ts/,
  /web\/src\/ui\/filter-chip\.tsx/,
  /web\/src\/ui\/illustrations\.tsx/,
  /web\/src\/ui\/skeletons\.tsx/,
  /web\/src\/ui\/skip-link\.tsx/,
  /web\/src\/ui\/time\.tsx/,
  /web\/src\/ui\/toggle-button\.tsx/,
  /web\/src\/ui\/type-badge\.tsx/,
  /web\/src\/ui\/use-shortcuts\.ts/,
]

/** Creating the theme takes as long as the rest of the application. */
const themeModules = [/web\/src\/app\/theme\/[a-z]+\.ts/]

/** Modules that most pages of learners share. */
const learnerModules = [
  /web\/src\/app\/layouts\/learner-layout\.tsx/,
  /web\/src\/features\/notifications\/components\/notification-list\.tsx/,
  /web\/src\/app\/routes\/inbox-pane\.ts/,
  /web\/src\/features\/notifications\/components\/empty-inbox\.tsx/,
  /web\/src\/features\/notifications\/components\/last-updated\.tsx/,
  /web\/src\/features\/notifications\/use-inbox\.ts/,
  /web\/src\/features\/notifications\/use-inbox-place\.ts/,
  /web\/src\/features\/notifications\/use-read-state\.ts/,
  /web\/src\/features\/notifications\/use-row-keys\.ts/,
]

const bottomNavigationModules = [/web\/src\/app\/layouts\/bottom-navigation\.tsx/]

const formModules = [/web\/src\/ui\/text-field\.tsx/, /web\/src\/ui\/busy-button\.tsx/, /@mui\/material\/Link\//]

const anyOf =
  (patterns: readonly RegExp[]) =>
  (module: string): boolean =>
    patterns.some((pattern) => pattern.test(module))

const initial = ['$initial' as const]

/** The page executes each file in a task of its own (src/start/start-after-paint.ts), so none of the first may be large. */
export const chunks = [
  { name: 'schema', test: anyOf(schemaModules), priority: 4 },
  {
    name: 'react-dom',
    tags: initial,
    test: /react-dom\/(client|cjs\/react-dom-client)/,
    includeDependenciesRecursively: false,
    priority: 5,
  },
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
  { name: 'learner', test: anyOf(learnerModules), priority: 1 },
  { name: 'forms', test: anyOf(formModules), priority: 1 },
]

/** Whether every page has loaded this file before its own ones. */
export const isOfFirstScreen = (file: string): boolean =>
  /^assets\/(?:rolldown-runtime|react|react-dom|base|schema|pieces|theme)-/.test(file)

export const chunkPatterns: readonly RegExp[] = [
  ...schemaModules,
  ...sharedModules,
  ...signedInModules,
  ...themeModules,
  ...bottomNavigationModules,
  ...learnerModules,
  ...formModules,
]
