import { z } from 'zod'
import { limits } from './rules.ts'

export const defaultPageSize = 10

/** A query parameter from 1 to `max`. */
export const positiveInteger = (name: string, max: number, fallback: number) =>
  z.coerce
    .number(`${name} must be a whole number from 1 to ${max}`)
    .int(`${name} must be a whole number from 1 to ${max}`)
    .min(1, `${name} must be a whole number from 1 to ${max}`)
    .max(max, `${name} must be a whole number from 1 to ${max}`)
    .default(fallback)

/** `?page&limit`. The first page is 1. */
export const pageQuerySchema = z.object({
  page: positiveInteger('page', limits.page, 1),
  limit: positiveInteger('limit', limits.pageSize, defaultPageSize),
})
export type PageQuery = z.infer<typeof pageQuerySchema>

export const paginationSchema = z.object({
  page: z.number().int(),
  limit: z.number().int(),
  total: z.number().int(),
  totalPages: z.number().int(),
})
export type Pagination = z.infer<typeof paginationSchema>

export const paginationOf = ({ page, limit }: PageQuery, total: number): Pagination => ({
  page,
  limit,
  total,
  totalPages: Math.ceil(total / limit),
})
