import type { ApiKeyRight } from '@portal/contracts/shared/route'

export const rightName: Readonly<Record<ApiKeyRight, string>> = {
  send: 'Send notifications',
  'read-results': 'Read results',
}
