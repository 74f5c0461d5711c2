/** Where the page of alarms is: what leads to it says there what is to be shown. */
export const ALARMS_PATH = '/rtjc/rtalarm'
