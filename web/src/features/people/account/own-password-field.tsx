import type { ComponentProps } from 'react'
import { useSession } from '../../../lib/session.ts'
import { PasswordField } from '../../../ui/text-field.tsx'
import { UsernameField } from '../../../ui/username-field.tsx'

/** The password of the admin who is signed in, not of the person on the page. */
export const OwnPasswordField = (props: Omit<ComponentProps<typeof PasswordField>, 'label' | 'autoComplete'>) => (
  <div>
    <UsernameField email={useSession()?.user.personalEmail ?? ''} />
    <PasswordField label="Your own password" autoComplete="current-password" required {...props} />
  </div>
)
