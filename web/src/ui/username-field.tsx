/** Tells password managers whose password a form changes. They look for a text field, which CSS hides. */
export const UsernameField = ({ email }: { email: string }) => (
  <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
)
