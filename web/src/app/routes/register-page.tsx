import Link from '@mui/material/Link'
import Typography from '@mui/material/Typography'
import { AuthLink, AuthPage, ProgramsLink } from '../../features/auth/auth-page.tsx'
import { LegalAgreement, StoredDetails } from '../../features/auth/registration/legal-agreement.tsx'
import { AccountStep } from '../../features/auth/registration/account-step.tsx'
import { CodesStep } from '../../features/auth/registration/codes-step.tsx'
import { ContactStep } from '../../features/auth/registration/contact-step.tsx'
import { StepsBar } from '../../features/auth/registration/steps-bar.tsx'
import { useRegistration } from '../../features/auth/registration/use-registration.ts'
import type { Wizard } from '../../features/auth/registration/wizard.ts'
import { useUniversityNames } from '../../lib/use-university-names.ts'

const stepHeads: Readonly<Record<Wizard['step'], { title: string; subtitle: string }>> = {
  account: { title: 'Create Account', subtitle: 'One account for all your programs.' },
  contact: { title: 'Contact details', subtitle: 'We’ll send a one-time code to each to confirm they’re yours.' },
  codes: { title: 'Enter your codes', subtitle: 'Enter either code. Both expire in 10 minutes.' },
}

export const RegisterPage = () => {
  const { wizard, dispatch, busy, send, resend, verify } = useRegistration()
  const universities = useUniversityNames()

  return (
    <AuthPage
      {...stepHeads[wizard.step]}
      above={<StepsBar step={wizard.step} />}
      footer={
        <>
          {wizard.step !== 'account' && <StoredDetails />}
          {wizard.step !== 'account' && <LegalAgreement />}
          <Typography align="center" color="textSecondary">
            Already have an account?{' '}
            <Link component={AuthLink} to="/login">
              Login
            </Link>
          </Typography>
          <ProgramsLink />
        </>
      }
    >
      {wizard.step === 'account' && (
        <AccountStep
          account={wizard.account}
          email={wizard.contact.email}
          serverErrors={wizard.accountErrors}
          universities={universities}
          onSave={(account) => dispatch({ type: 'account-completed', account })}
        />
      )}
      {wizard.step === 'contact' && (
        <ContactStep
          contact={wizard.contact}
          focus={wizard.focus ?? 'email'}
          busy={busy}
          onBack={(contact) => {
            dispatch({ type: 'contact-changed', contact })
            dispatch({ type: 'went-back' })
          }}
          onSend={send}
        />
      )}
      {wizard.step === 'codes' && (
        <CodesStep
          wizard={wizard}
          busy={busy}
          onBack={() => dispatch({ type: 'went-back' })}
          onChange={(codes) => dispatch({ type: 'codes-changed', codes })}
          onEdit={(field) => dispatch({ type: 'edit-requested', field })}
          onResend={resend}
          onVerify={verify}
        />
      )}
    </AuthPage>
  )
}
