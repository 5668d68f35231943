import type { Service, ServiceDeps } from '@portal/platform/runtime/service'
import { catalogProjections, catalogPublishers } from './projections.ts'
import { createChangeUniversities } from './university/change-universities.ts'
import { createEnsureFirstUniversities, type EnsureFirstUniversities } from './university/first-universities.ts'
import { universitiesProjection } from './university/projection.ts'
import { universityRoutes } from './university/routes.ts'

export type Catalog = Service & {
  /** Needs neither projections nor `start`. */
  readonly ensureFirstUniversities: EnsureFirstUniversities
}

export const buildCatalog = ({ bind, eventStore, readModels, sources }: ServiceDeps): Catalog => {
  const readModel = readModels.of(universitiesProjection)
  const change = createChangeUniversities({ eventStore, readModel, sources })
  return {
    name: 'catalog',
    publishers: catalogPublishers,
    projections: catalogProjections,
    routes: (app) => universityRoutes(app, { bind, readModel, sources, change }),
    // Nothing runs besides requests and projections.
    start: async () => {},
    stop: async () => {},
    ensureFirstUniversities: createEnsureFirstUniversities({ eventStore }),
  }
}
