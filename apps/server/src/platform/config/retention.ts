import { z } from 'zod'

/** Shortest retention of the operation log, days: six months (网络安全法, article 21). The database refuses to delete earlier. */
const MIN_LOG_DAYS = 180

/** Retention in days; 0 retains forever. */
const retentionDays = z.coerce.number().int().min(0).max(36_500)

/** Environment variables of the time for which data are stored. */
export const retentionEnvironment = {
  ISOTHERM_KEEP_READINGS_DAYS: retentionDays
    .default(1_100)
    .describe('Retention of readings, days; 0 retains forever. A reading older than ten years is refused'),
  ISOTHERM_KEEP_HOURLY_DAYS: retentionDays
    .default(0)
    .describe('Retention of hourly rollups, days; 0 retains forever'),
  ISOTHERM_KEEP_DAILY_DAYS: retentionDays
    .default(0)
    .describe('Retention of daily rollups, days; 0 retains forever'),
  ISOTHERM_KEEP_RAW_DAYS: retentionDays
    .default(90)
    .describe('Retention of frames of field buses, days; 0 retains forever'),
  ISOTHERM_KEEP_ALARMS_DAYS: retentionDays
    .default(1_100)
    .describe('Retention of ended alarms and findings, days; 0 retains forever'),
  ISOTHERM_KEEP_LOG_DAYS: retentionDays
    .refine((days) => days === 0 || days >= MIN_LOG_DAYS, `is neither 0 nor at least ${MIN_LOG_DAYS}`)
    .default(0)
    .describe('Retention of the operation log, days, at least 180; 0 retains forever'),
}
