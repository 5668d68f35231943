/** Where users write to the center. The address is fictional. */
export const supportEmail = 'minor@example.org'
