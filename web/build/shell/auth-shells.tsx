import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { Route, Routes } from 'react-router-dom'
import { AuthLayout } from '../../src/app/layouts/auth-layout.tsx'
import { AuthPage, Form, ProgramFacts, ProgramsButton } from '../../src/features/auth/auth-page.tsx'
import { heads } from '../../src/features/auth/heads.ts'
import { StepsBar } from '../../src/features/auth/registration/steps-bar.tsx'
import { FieldOutline } from './outlines.tsx'

const inLayout = (page: ReactNode) => (
  <Routes>
    <Route element={<AuthLayout />}>
      <Route path="*" element={page} />
    </Route>
  </Routes>
)

const mainButton = (text: string) => (
  <Button component="span" size="large" fullWidth>
    {text}
  </Button>
)

const Line = styled('div')(({ theme }) => ({
  ...theme.typography.body1,
  textAlign: 'center',
  color: theme.vars.palette.text.secondary,
  '& b': {
    color: theme.vars.palette.primary.main,
    fontWeight: 600,
    textDecoration: 'underline',
    textUnderlineOffset: '0.2em',
  },
}))

/** As tall as what the page has below. On a desktop the form is centered. */
const Space = ({ height }: { readonly height: number }) => <svg width="0" height={height} display="block" />

export const LoginShell = () =>
  inLayout(
    <AuthPage {...heads.login} above={<ProgramFacts />}>
      <Form as="div">
        <FieldOutline label="Email" />
        <FieldOutline label="Password" hint="Forgot Password?" />
        {mainButton('Login')}
        <ProgramsButton />
      </Form>
      <Line>
        New here? <b>Sign Up</b>
      </Line>
      <Space height={92} />
    </AuthPage>,
  )

export const RegisterShell = () =>
  inLayout(
    <AuthPage
      {...heads.account}
      above={
        <div data-settles="">
          <StepsBar step="account" />
        </div>
      }
    >
      <Form as="div">
        <FieldOutline label="Name" />
        <FieldOutline label="University Name" />
        <FieldOutline label="Password" />
      </Form>
      <Space height={278} />
    </AuthPage>,
  )

export const ResetShell = () =>
  inLayout(
    <AuthPage {...heads.reset}>
      <Form as="div">
        <FieldOutline label="Personal email" />
        {mainButton('Send Reset Link')}
        <Space height={52} />
      </Form>
    </AuthPage>,
  )
