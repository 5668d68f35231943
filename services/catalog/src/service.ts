import type { ServiceDefinition } from '@portal/platform/runtime/service'
import { buildCatalog, type Catalog } from './app.ts'
import type { LearnerContacts } from './enrollment/learner-contacts.ts'
import { catalogProjections, catalogPublishers } from './projections.ts'

export const catalogService: ServiceDefinition<{ readonly contacts: LearnerContacts }, Catalog> = {
  name: 'catalog',
  publishers: catalogPublishers,
  projections: catalogProjections,
  build: (host, { contacts }) => {
    const catalog = buildCatalog({ ...host, contacts })
    return {
      ...catalog,
      prepare: async () => {
        await catalog.seedUniversities()
        return undefined
      },
    }
  },
}
