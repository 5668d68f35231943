import { config } from 'zod'

// The portal's pages may not make code from text. zod would try whether it can, and the browser would report it.
config({ jitless: true })
