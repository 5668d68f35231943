import type { ServiceDefinition } from '@portal/platform/runtime/service'
import { buildCatalog, type Catalog } from './app.ts'
import { catalogProjections, catalogPublishers } from './projections.ts'

export const catalogService: ServiceDefinition<void, Catalog> = {
  name: 'catalog',
  publishers: catalogPublishers,
  projections: catalogProjections,
  build: (host) => {
    const catalog = buildCatalog(host)
    return {
      ...catalog,
      prepare: async () => {
        await catalog.seedUniversities()
        return undefined
      },
    }
  },
}
