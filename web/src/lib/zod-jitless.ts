import { config } from 'zod'

// The content security policy forbids eval. Without this, zod tries it and the browser reports a violation.
config({ jitless: true })
