/**
 * A whole number in groups of three digits: '1,234,567'. Not with the browser's formatter, which takes a phone 15 ms to create: longer
 * than most pages take to render.
 */
export const groupedByThree = (count: number): string => String(count).replaceAll(/\B(?=(?:\d{3})+$)/gu, ',')

/** A whole number in the groups of India, thousands and then hundreds: '12,34,567'. */
export const groupedAsInIndia = (count: number): string => String(count).replaceAll(/\B(?=(?:\d\d)*\d{3}$)/gu, ',')
