/** Path of the alarm page. Links add the filter as query. */
export const ALARMS_PATH = '/rtjc/rtalarm'
