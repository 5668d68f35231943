import type { University } from '@portal/contracts/catalog/http'
import { recordCalls, writes } from '@portal/platform/http/record-calls'
import type { Service, ServiceDeps } from '@portal/platform/runtime/service'
import { createChangeLearners } from './enrollment/change-learners.ts'
import { createEnroll } from './enrollment/enroll.ts'
import { createEnrollmentReader } from './enrollment/enrollment-reader.ts'
import type { LearnerContacts } from './enrollment/learner-contacts.ts'
import { learnerRoutes } from './enrollment/learner-routes.ts'
import { paymentRoutes } from './enrollment/payment-routes.ts'
import { enrollmentsProjection } from './enrollment/projection.ts'
import { createRecordEnrollment } from './enrollment/record-enrollment.ts'
import { enrollmentRoutes } from './enrollment/routes.ts'
import { buildLearnerInvitations } from './learner-invitation/build-learner-invitations.ts'
import { createPictures } from './picture/pictures.ts'
import { pictureLimit, pictureRoutes } from './picture/routes.ts'
import { createChangePrograms } from './program/change-programs.ts'
import { createProgramReader } from './program/program-reader.ts'
import { programsProjection } from './program/projection.ts'
import { adminProgramRoutes, programRoutes, toolAndFactRoutes } from './program/routes.ts'
import { catalogProjections, catalogPublishers } from './projections.ts'
import { createChangeUniversities } from './university/change-universities.ts'
import { createSeedUniversities, type SeedUniversities } from './university/seed-universities.ts'
import { readUniversities, universitiesProjection } from './university/projection.ts'
import { universityRoutes } from './university/routes.ts'

export type Catalog = Service & {
  /** Can run before `start` and without projections. */
  readonly seedUniversities: SeedUniversities
  /** The university with this name, if there is one. Rejects if the read model is unavailable. */
  readonly findUniversity: (name: string) => Promise<University | undefined>
}

type CatalogDeps = ServiceDeps & {
  readonly contacts: LearnerContacts
  /** Of one program. Default: 20,000. */
  readonly maxOpenInvitations?: number | undefined
}

export const buildCatalog = (deps: CatalogDeps): Catalog => {
  const { bind, clockAndIds, vault, eventStore, readModels, securityLog, limiters, contacts } = deps
  const programModel = readModels.of(programsProjection)
  const programs = createProgramReader(programModel)
  const recordEnrollment = createRecordEnrollment(eventStore)
  const invitations = buildLearnerInvitations({ ...deps, programs, recordEnrollment })

  return {
    name: 'catalog',
    publishers: catalogPublishers,
    projections: catalogProjections,
    routes: (app) => {
      const recordsUniversities = recordCalls(bind, securityLog, { event: 'university-changed', methods: writes })
      const recordsPrograms = recordCalls(bind, securityLog, { event: 'program-changed', methods: writes })
      const universities = readModels.of(universitiesProjection)
      const changeUniversities = createChangeUniversities({ eventStore, readModel: universities, clockAndIds })
      universityRoutes(app, {
        bind: recordsUniversities,
        readModel: universities,
        clockAndIds,
        change: changeUniversities,
      })

      const change = createChangePrograms({ eventStore, readModel: programModel, clockAndIds })
      programRoutes(app, { bind, programs })
      adminProgramRoutes(app, { bind: recordsPrograms, clockAndIds, vault, programs, change })
      toolAndFactRoutes(app, { bind: recordsPrograms, clockAndIds, change })

      pictureRoutes(app, {
        bind,
        recorded: recordsPrograms,
        pictures: createPictures({ eventStore }),
        uploads: limiters.of('picturesPerAdmin', pictureLimit),
      })

      const enrollmentModel = readModels.of(enrollmentsProjection)
      const enrollments = createEnrollmentReader({ readModel: enrollmentModel, programs })
      const enroll = createEnroll({ recordEnrollment, readModel: enrollmentModel, clockAndIds, programs, enrollments })
      enrollmentRoutes(app, { bind, enroll, enrollments })

      const changeLearners = createChangeLearners({ recordEnrollment, readModel: enrollmentModel, vault })
      const recordsLearners = recordCalls(bind, securityLog, { event: 'learners-changed', methods: writes })
      const learners = { bind: recordsLearners, clockAndIds, programs, contacts, changeLearners }
      learnerRoutes(app, { ...learners, inviteLearners: invitations.inviteLearners })
      paymentRoutes(app, { ...learners, vault })
      invitations.routes(app)
    },
    start: invitations.start,
    stop: invitations.stop,
    findUniversity: async (name) =>
      (await readUniversities(readModels.of(universitiesProjection))).find((university) => university.name === name),
    seedUniversities: createSeedUniversities(deps),
  }
}
