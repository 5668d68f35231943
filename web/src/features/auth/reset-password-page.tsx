import Button from '@mui/material/Button'
import { Link } from 'react-router-dom'
import { AuthPage } from './auth-page.tsx'

export const ResetPasswordPage = () => (
  <AuthPage title="Reset Password" subtitle="Password reset is not available yet. Please contact the centre.">
    <Button component={Link} to="/login" size="large" variant="outlined" color="secondary" fullWidth>
      Back to Login
    </Button>
  </AuthPage>
)
