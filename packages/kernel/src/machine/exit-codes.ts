/** A command that did nothing because the same work is being done; EX_TEMPFAIL of sysexits.h. */
export const EXIT_TRY_LATER = 75
