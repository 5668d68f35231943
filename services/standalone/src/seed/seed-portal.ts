import { firstAdminId } from '@portal/auth/first-admin/first-admin-id'
import { createFindSeeded } from '@portal/auth/seed/find-seeded'
import { type Seeded, seededEmail } from '@portal/auth/seed/seed-learners'
import { firstUniversityNames } from '@portal/catalog/university/first-universities'
import { mostSampleRecipients, type SeededNotifications } from '@portal/notifications/seed/seed-notifications'
import type { ServiceDeps } from '@portal/platform/runtime/service'
import type { Services } from '../services.ts'
import { sampleEnrollments } from './sample-enrollments.ts'

export type SeedRequest = {
  readonly learners: number
  /** Of all accounts that are made. */
  readonly password: string
  /** Whether there are to be programmes, enrolments, somebody of the faculty and notifications as well. */
  readonly withSample: boolean
}

export type Sample = {
  /** Undefined where the address has an account of another kind. */
  readonly facultyEmail: string | undefined
  readonly programs: number
  readonly enrollments: number
  /** Of this time. */
  readonly notifications: SeededNotifications
}
export type SeededPortal = Pick<SeedRequest, 'password'> & {
  readonly learners: Seeded & { readonly firstEmail: string; readonly lastEmail: string }
  readonly sample?: Sample
}

type SeedServices = Pick<Services, 'auth' | 'catalog' | 'notifications'>
type Kept = Pick<ServiceDeps, 'eventStore' | 'vault'>

const faculty = { email: 'faculty@example.com', fullName: 'Meera Nair', universityName: firstUniversityNames[0] }

/** So that every screen has something to show. Each part is made once: a second time adds what is missing. */
const seedSample = async (
  { auth, catalog, notifications }: SeedServices,
  { eventStore, vault }: Kept,
  { learners: count, password }: SeedRequest,
): Promise<Sample> => {
  const findSeeded = createFindSeeded({ eventStore, vault })
  const outcome = await auth.seedFaculty({ ...faculty, password })
  const emails = Array.from({ length: Math.min(count, mostSampleRecipients) }, (_, index) => seededEmail(index + 1))
  const learners = await findSeeded(emails, 'student')

  const programs = await catalog.seedPrograms()
  const enrollments = sampleEnrollments(learners, programs)
  await catalog.seedEnrollments(enrollments)

  const sentBy = await firstAdminId(eventStore)
  if (sentBy === undefined) throw new Error('There is no admin yet who could have sent anything')
  const recipients = { learners, faculty: await findSeeded([faculty.email], 'faculty'), sentBy }
  return {
    facultyEmail: outcome === 'address-taken' ? undefined : faculty.email,
    programs: programs.length,
    enrollments: enrollments.length,
    notifications: await notifications.seedNotifications(recipients),
  }
}

/** Records learners and, if asked for, the sample. Needs neither projections nor `start`; a sample needs the first admin. */
export const seedPortal = async (services: SeedServices, kept: Kept, request: SeedRequest): Promise<SeededPortal> => {
  const { learners: count, password, withSample } = request
  await services.catalog.ensureFirstUniversities()
  const seeded = await services.auth.seedLearners({ count, password, universityNames: firstUniversityNames })
  return {
    password,
    learners: { ...seeded, firstEmail: seededEmail(1), lastEmail: seededEmail(count) },
    ...(withSample && { sample: await seedSample(services, kept, request) }),
  }
}
