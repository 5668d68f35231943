/** Whose password a form changes, where password managers look for it: in a text field that CSS hides. */
export const UsernameField = ({ email }: { email: string }) => (
  <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
)
