import Link from '@mui/material/Link'
import { styled } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import type { Failure } from '../../../lib/http.ts'
import { CodeForm } from './code-form.tsx'
import { QrCode } from './qr-code.tsx'

export type OfferedTotp = { readonly secret: string; readonly uri: string }

const Steps = styled('ol')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(5),
  margin: 0,
  paddingInlineStart: theme.spacing(5),
  '& > li': { minWidth: 0 },
  '& > li > * + *': { marginTop: theme.spacing(3) },
  '& code': { fontFamily: theme.portal.codeFont, overflowWrap: 'anywhere', userSelect: 'all' },
}))

/** Groups of four are easier to type. Apps ignore the blanks. */
const grouped = (secret: string): string => secret.replaceAll(/.{4}(?=.)/g, '$& ')

type TotpSetUpProps = {
  readonly offer: OfferedTotp
  readonly onCode: (code: string) => Promise<Failure | undefined>
  readonly children?: ReactNode
}

/** What the user does in an authenticator app, and its first code. */
export const TotpSetUp = ({ offer: { secret, uri }, onCode, children }: TotpSetUpProps) => (
  <Steps>
    <li>
      <Typography>
        Scan this with an authenticator app, such as Google Authenticator, Microsoft Authenticator or Aegis.
      </Typography>
      <QrCode text={uri} label="QR code for your authenticator app" />
      <Typography variant="body2">
        <Link href={uri}>Open the app on this device</Link>, or type the key: <code>{grouped(secret)}</code>
      </Typography>
    </li>
    <li>
      <Typography>Enter the six digits that the app shows.</Typography>
      <CodeForm kind="app" submitText="Turn on" onCode={onCode}>
        {children}
      </CodeForm>
    </li>
  </Steps>
)
