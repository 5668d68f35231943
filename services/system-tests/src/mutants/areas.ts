/** Code whose tests must catch every mutation, and these tests. Paths are relative to the repository root. */
export type Area = {
  readonly name: string
  readonly mutate: readonly string[]
  readonly tests: readonly string[]
  readonly environment: 'node' | 'happy-dom'
}

const decider = (service: string, folder: string, ...tests: string[]): Area => ({
  name: `${service}/${folder} decider`,
  mutate: [`services/${service}/src/${folder}/decider.ts`],
  tests: [`services/${service}/src/${folder}/decider*.test.ts`, ...tests],
  environment: 'node',
})

export const areas: readonly Area[] = [
  {
    name: 'validation rules',
    mutate: ['contracts/src/shared/rules.ts', 'contracts/src/shared/typed-input.ts'],
    tests: ['contracts/src/shared/rules*.test.ts', 'contracts/src/shared/typed-input.test.ts'],
    environment: 'node',
  },
  decider('auth', 'first-admin'),
  decider('auth', 'password-reset'),
  decider('auth', 'registration'),
  decider('auth', 'session'),
  decider('auth', 'user'),
  decider('catalog', 'enrollment'),
  decider('catalog', 'learner-invitation'),
  decider('catalog', 'program'),
  decider('catalog', 'university'),
  decider('notifications', 'campaign', 'services/notifications/src/campaign/schedule.test.ts'),
  decider('notifications', 'device', 'services/notifications/src/device/end-push-tokens.test.ts'),
  {
    name: 'who gets a push',
    mutate: ['services/notifications/src/delivery/decide-delivery.ts'],
    tests: ['services/notifications/src/delivery/decide-delivery.test.ts'],
    environment: 'node',
  },
  {
    name: 'prices',
    mutate: [
      'web/src/features/programs/course-fees.ts',
      'web/src/features/programs/placeholders.ts',
      'web/src/ui/money.ts',
    ],
    tests: [
      'web/src/features/programs/course-fees.test.ts',
      'web/src/features/programs/placeholders.test.ts',
      'web/src/ui/money.test.ts',
    ],
    environment: 'node',
  },
  {
    name: 'roles in the server',
    mutate: ['services/platform/src/http/route-access.ts'],
    tests: ['services/platform/src/http/route-access.test.ts'],
    environment: 'node',
  },
  {
    name: 'roles in the client',
    mutate: ['web/src/app/guards.tsx', 'web/src/lib/post-login-redirect.ts', 'web/src/ui/role-name.ts'],
    tests: ['web/src/app/guards.test.tsx', 'web/src/lib/post-login-redirect.test.ts', 'web/src/ui/role-name.test.ts'],
    environment: 'happy-dom',
  },
  {
    name: 'marketing facts',
    mutate: ['web/src/features/landing/facts.ts'],
    tests: ['web/src/features/landing/facts.test.ts'],
    environment: 'node',
  },
]
