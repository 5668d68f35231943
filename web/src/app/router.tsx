import { isValidElement, Suspense } from 'react'
import { createRoutesFromElements, matchRoutes, Route, Routes } from 'react-router-dom'
import {
  RequireAdmin,
  RequireAnonymous,
  MovedPage,
  UnknownPathRedirect,
  RequireFaculty,
  RequireLearner,
  RejectAdmin,
} from './guards.tsx'
import { lazyPage, preloadPage, type LoadPage } from './lazy-page.tsx'
import { PageOutline } from './page-outline.tsx'
import { PageErrorBoundary } from './page-error-boundary.tsx'
import { LiveSession } from './providers/live-session.tsx'

/** Each page has an error boundary of its own, so that the layout and its navigation survive a failure. */
const page = <Name extends string>(name: Name, load: LoadPage<Name>) => lazyPage(name, load, PageErrorBoundary)

const AuthLayout = lazyPage('AuthLayout', () => import('./layouts/auth-layout.tsx'))
/** Has one page only, so both are loaded in parallel. */
const LandingLayout = lazyPage('LandingLayout', async () => {
  const [module] = await Promise.all([import('./layouts/landing-layout.tsx'), import('./routes/home/home-page.tsx')])
  return module
})
const LearnerLayout = lazyPage('LearnerLayout', () => import('./layouts/learner-layout.tsx'))
const AdminLayout = lazyPage('AdminLayout', () => import('./layouts/admin-layout.tsx'))

const LoginPage = page('LoginPage', () => import('./routes/login-page.tsx'))
const RegisterPage = page('RegisterPage', () => import('./routes/register-page.tsx'))
const ResetPasswordPage = page('ResetPasswordPage', () => import('./routes/reset-password-page.tsx'))

const UnsubscribePage = page('UnsubscribePage', () => import('./routes/unsubscribe-page.tsx'))

const TermsPage = page('TermsPage', () => import('./routes/legal-page.tsx'))
const PrivacyPage = page('PrivacyPage', () => import('./routes/legal-page.tsx'))

const HomePage = page('HomePage', () => import('./routes/home/home-page.tsx'))
const MyProgramsPage = page('MyProgramsPage', () => import('./routes/my-programs-page.tsx'))
const InboxPage = page('InboxPage', () => import('./routes/inbox-page.tsx'))
const NotificationPage = page('NotificationPage', () => import('./routes/notification-page.tsx'))
const ProfilePage = page('ProfilePage', () => import('./routes/profile-page.tsx'))
const NotificationSettingsPage = page(
  'NotificationSettingsPage',
  () => import('./routes/notification-settings-page.tsx'),
)
const SessionsPage = page('SessionsPage', () => import('./routes/sessions-page.tsx'))
const SecurityPage = page('SecurityPage', () => import('./routes/security-page.tsx'))
const EditProfilePage = page('EditProfilePage', () => import('./routes/edit-profile-page.tsx'))
const PaymentPage = page('PaymentPage', () => import('./routes/payment-page.tsx'))
const ActiveProgramPage = page('ActiveProgramPage', () => import('./routes/active-program-page.tsx'))
const InactiveProgramPage = page('InactiveProgramPage', () => import('./routes/inactive-program-page.tsx'))
const FacultyDashboardPage = page('FacultyDashboardPage', () => import('./routes/faculty-dashboard-page.tsx'))

const DashboardPage = page('DashboardPage', () => import('./routes/admin/dashboard/dashboard-page.tsx'))
const AdminProgramsPage = page('AdminProgramsPage', () => import('./routes/admin/programs-page.tsx'))
const ProgramFormPage = page('ProgramFormPage', () => import('./routes/admin/program-form-page.tsx'))
const LearnersPage = page('LearnersPage', () => import('./routes/admin/programs-page.tsx'))
const ProgramPreviewPage = page('ProgramPreviewPage', () => import('./routes/admin/program-preview-page.tsx'))
const UniversitiesPage = page('UniversitiesPage', () => import('./routes/admin/universities-page.tsx'))
const SendPage = page('SendPage', () => import('./routes/admin/send-page.tsx'))
const CampaignPage = page('CampaignPage', () => import('./routes/admin/campaign-page.tsx'))
const UsersPage = page('UsersPage', () => import('./routes/admin/users-page.tsx'))
const AuditPage = page('AuditPage', () => import('./routes/admin/audit-page.tsx'))
const PersonPage = page('PersonPage', () => import('./routes/admin/person-page.tsx'))
const AdminProfilePage = page('AdminProfilePage', () => import('./routes/admin/admin-profile-page.tsx'))
const ApiKeysPage = page('ApiKeysPage', () => import('./routes/admin/admin-profile-page.tsx'))

/** A new path also belongs in contracts/src/shared/page-paths.ts, for the gateway. */
export const pages = (
  <>
    <Route element={<AuthLayout />}>
      <Route element={<RequireAnonymous key="login" />}>
        <Route path="/login" element={<LoginPage />} />
      </Route>
      <Route element={<RequireAnonymous key="register" />}>
        <Route path="/register" element={<RegisterPage />} />
      </Route>
      <Route element={<RequireAnonymous key="reset-password" />}>
        <Route path="/reset-password" element={<ResetPasswordPage />} />
      </Route>
      <Route path="/notifications/unsubscribe" element={<UnsubscribePage />} />
    </Route>

    <Route element={<LiveSession />}>
      <Route path="/terms" element={<TermsPage />} />
      <Route path="/privacy" element={<PrivacyPage />} />

      <Route element={<RejectAdmin />}>
        <Route element={<LandingLayout />}>
          <Route path="/home" element={<HomePage />} />
        </Route>
      </Route>

      <Route element={<RequireFaculty />}>
        <Route element={<LearnerLayout />}>
          <Route path="/faculty/dashboard" element={<FacultyDashboardPage />} />
        </Route>
      </Route>

      <Route element={<RequireLearner />}>
        <Route element={<LearnerLayout />}>
          <Route path="/my-program" element={<MyProgramsPage />} />
          <Route path="/notification" element={<InboxPage />}>
            <Route index element={null} />
            <Route path=":id" element={<NotificationPage />} />
          </Route>
          <Route path="/profile" element={<ProfilePage />} />
          <Route path="/profile/notifications" element={<NotificationSettingsPage />} />
          <Route path="/profile/sessions" element={<SessionsPage />} />
          <Route path="/profile/security" element={<SecurityPage />} />
          <Route path="/edit-profile" element={<EditProfilePage />} />
          <Route path="/payment" element={<PaymentPage />} />
          <Route path="/program-details-active/:programId" element={<ActiveProgramPage />} />
          <Route path="/program-details-inactives/:programId" element={<InactiveProgramPage />} />
        </Route>
      </Route>

      <Route element={<RequireAdmin />}>
        <Route element={<AdminLayout />}>
          <Route path="/admin/dashboard" element={<DashboardPage />} />
          <Route path="/admin/programs" element={<AdminProgramsPage />} />
          <Route path="/admin/programs/new" element={<ProgramFormPage key="new" />} />
          <Route path="/admin/programs/edit/:id" element={<ProgramFormPage key="edit" />} />
          <Route path="/admin/programs/:id/preview" element={<ProgramPreviewPage />} />
          <Route path="/admin/programs/:id/learners" element={<LearnersPage />} />
          <Route path="/admin/universities" element={<UniversitiesPage />} />
          <Route path="/admin/notifications" element={<SendPage />} />
          <Route path="/admin/notifications/:id" element={<CampaignPage />} />
          <Route path="/admin/dashboard/users" element={<UsersPage />} />
          <Route path="/admin/dashboard/audit" element={<AuditPage />} />
          <Route path="/admin/people" element={<MovedPage to="/admin/dashboard/users" />} />
          <Route path="/admin/people/:userId" element={<PersonPage />} />
          <Route path="/admin/profile" element={<AdminProfilePage />} />
          <Route path="/admin/profile/notifications" element={<NotificationSettingsPage />} />
          <Route path="/admin/profile/sessions" element={<SessionsPage />} />
          <Route path="/admin/profile/api-keys" element={<ApiKeysPage />} />
          <Route path="/admin/profile/security" element={<SecurityPage />} />
        </Route>
      </Route>

      <Route path="*" element={<UnknownPathRedirect />} />
    </Route>
  </>
)

/** Loads the layout and the page at `path` before the first render. */
export const preloadPagesAt = async (path: string): Promise<void> => {
  const matches = matchRoutes(createRoutesFromElements(pages), path) ?? []
  const types = matches.map(({ route: { element } }) => (isValidElement(element) ? element.type : undefined))
  await Promise.all(types.map((type) => typeof type === 'function' && preloadPage(type)))
}

export const AppRoutes = () => (
  <Suspense fallback={<PageOutline />}>
    <Routes>{pages}</Routes>
  </Suspense>
)
