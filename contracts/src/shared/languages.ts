import { z } from 'zod'

/** Into which an admin can translate a notification; BCP 47. */
export const secondLanguages = ['hi', 'bn', 'ta', 'te', 'mr', 'gu', 'kn', 'ml', 'pa', 'or', 'as', 'ur'] as const
/** English is the default, which is never stored. */
export const languages = ['en', ...secondLanguages] as const
export type Language = (typeof languages)[number]

/** Each in its own words. */
export const languageNames: Readonly<Record<Language, string>> = {
  en: 'English',
  hi: 'हिन्दी',
  bn: 'বাংলা',
  ta: 'தமிழ்',
  te: 'తెలుగు',
  mr: 'मराठी',
  gu: 'ગુજરાતી',
  kn: 'ಕನ್ನಡ',
  ml: 'മലയാളം',
  pa: 'ਪੰਜਾਬੀ',
  or: 'ଓଡ଼ିଆ',
  as: 'অসমীয়া',
  ur: 'اردو',
}

const chooseOne = 'Please choose a language'
export const languageSchema = z.enum(languages, chooseOne)
export const secondLanguageSchema = z.enum(secondLanguages, chooseOne)

/** English, unless another one was chosen that this release knows. */
export const knownLanguage = (code: string | undefined): Language => languages.find((known) => known === code) ?? 'en'
