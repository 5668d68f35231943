import { firstAdminId } from '@portal/auth/first-admin/first-admin'
import { createPasswordHashing } from '@portal/auth/passwords/password-hashing'
import { createSeedUniversities, seedUniversityNames } from '@portal/catalog/university/seed-universities'
import { type AccountPorts, findAccounts } from './accounts.ts'
import { sampleEnrollments, seedEnrollments } from './enrollments.ts'
import { maxSampleRecipients, type SeededNotifications, seedNotifications } from './notifications.ts'
import { type PeoplePorts, type SeededLearners, seededEmail, seedFaculty, seedLearners } from './people.ts'
import { seedPrograms } from './programs.ts'

/** Enough for every list to have pages. */
export const defaultLearnerCount = 100

export type SeedRequest = {
  readonly learners: number
  /** Password of all created accounts. */
  readonly password: string
  /** Whether to seed programs, enrollments, a faculty member and notifications, too. */
  readonly withSample: boolean
}

type Sample = {
  /** Undefined if an account of another role has the address. */
  readonly facultyEmail: string | undefined
  readonly programs: number
  readonly enrollments: number
  /** Recorded by this call. */
  readonly notifications: SeededNotifications
}
export type SeededPortal = Pick<SeedRequest, 'password'> & {
  readonly learners: SeededLearners & { readonly firstEmail: string; readonly lastEmail: string }
  readonly sample?: Sample
}

const faculty = { email: 'faculty@example.com', fullName: 'Meera Nair', universityName: seedUniversityNames[0] }

/** Gives every screen something to show. A repetition adds only what is missing. */
const seedSample = async (ports: PeoplePorts, { learners: count, password }: SeedRequest): Promise<Sample> => {
  const { eventStore } = ports
  const outcome = await seedFaculty(ports, { ...faculty, password })
  const emails = Array.from({ length: Math.min(count, maxSampleRecipients) }, (_, index) => seededEmail(index + 1))
  const learners = await findAccounts(ports, emails, 'student')

  const programs = await seedPrograms(eventStore)
  const enrollments = sampleEnrollments(learners, programs)
  await seedEnrollments(ports, enrollments)

  const sentBy = await firstAdminId(eventStore)
  if (sentBy === undefined)
    throw new Error('There is no admin yet to record as the sender: start the portal once, then seed again')
  const recipients = { learners, faculty: await findAccounts(ports, [faculty.email], 'faculty'), sentBy }
  return {
    facultyEmail: outcome === 'address-taken' ? undefined : faculty.email,
    programs: programs.length,
    enrollments: enrollments.length,
    notifications: await seedNotifications(ports, recipients),
  }
}

/** Records learners and, on request, the sample data. Needs no projection; the sample needs the first admin. */
export const seedPortal = async (
  { eventStore, vault, clockAndIds }: AccountPorts,
  request: SeedRequest,
): Promise<SeededPortal> => {
  const { learners: count, password, withSample } = request
  await createSeedUniversities({ eventStore })()
  const passwords = createPasswordHashing()
  try {
    const ports = { eventStore, vault, clockAndIds, passwords }
    const seeded = await seedLearners(ports, { count, password, universityNames: seedUniversityNames })
    return {
      password,
      learners: { ...seeded, firstEmail: seededEmail(1), lastEmail: seededEmail(count) },
      ...(withSample && { sample: await seedSample(ports, request) }),
    }
  } finally {
    await passwords.close()
  }
}

/** The addresses of the first sample accounts that exist. They tell a developer that there is sample data. */
export const findSampleLogins = async (
  ports: Pick<AccountPorts, 'eventStore' | 'vault'>,
): Promise<readonly string[]> => {
  const firstLearner = seededEmail(1)
  const [learners, members] = await Promise.all([
    findAccounts(ports, [firstLearner], 'student'),
    findAccounts(ports, [faculty.email], 'faculty'),
  ])
  return [...(learners.length > 0 ? [firstLearner] : []), ...(members.length > 0 ? [faculty.email] : [])]
}

const sampleLines = ({ facultyEmail, programs, enrollments, notifications }: Sample): readonly string[] => {
  const { sent, read } = notifications
  return [
    ...(facultyEmail === undefined ? [] : [`1 faculty member, ${facultyEmail}`]),
    `${programs} programs, ${enrollments} enrollments`,
    sent > 0 ? `${sent} notifications sent, read ${read} times` : 'Notifications were sent earlier',
  ]
}

/** Lines for the terminal: what was created and how to log in. */
export const seededLines = ({ password, learners, sample }: SeededPortal): readonly string[] => {
  const { created, existing, firstEmail, lastEmail } = learners
  const were = existing > 0 ? ` (${existing} existed already)` : ''
  return [
    `${created + existing} learners, ${firstEmail} to ${lastEmail}${were}`,
    ...(sample ? sampleLines(sample) : []),
    `Password: ${password}`,
  ]
}
