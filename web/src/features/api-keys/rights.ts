import type { ApiKeyRight } from '@portal/contracts/auth/api-key-rights'

export const rightName: Readonly<Record<ApiKeyRight, string>> = {
  send: 'Send notifications',
  'read-results': 'Read results',
}
