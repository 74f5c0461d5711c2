/**
 * The one table of errors. `http` is 200 for what the application says about a well-formed, known call and
 * a 4xx or 5xx otherwise; `status` is the number the first backend puts into its envelope and, as text, the
 * second. Texts stand in locales/, keyed by code; `{name}` in them is filled from the error's parameters.
 */
export const errors = {
  'request.malformed': { http: 400, status: 400 },
  'request.unknown': { http: 404, status: 404 },
  'request.too-large': { http: 413, status: 413 },
  'request.too-many': { http: 429, status: 429 },
  'session.missing': { http: 200, status: 401 },
  'session.expired': { http: 200, status: 11 },
  'session.bad-credentials': { http: 200, status: 1001 },
  'session.slowed': { http: 429, status: 1002 },
  'session.disabled': { http: 200, status: 1003 },
  'live.too-many': { http: 429, status: 1004 },
  'access.denied': { http: 200, status: 403 },
  'node.not-found': { http: 200, status: 2001 },
  'device.not-found': { http: 200, status: 2002 },
  'device.not-controllable': { http: 200, status: 2003 },
  'filter.unknown-field': { http: 200, status: 2004 },
  'filter.bad-pattern': { http: 200, status: 2005 },
  'entity.stale': { http: 200, status: 2010 },
  'entity.taken': { http: 200, status: 2011 },
  'entity.in-use': { http: 200, status: 2012 },
  'node.bad-place': { http: 200, status: 2013 },
  'node.not-empty': { http: 200, status: 2014 },
  'control-device.not-found': { http: 200, status: 2020 },
  'device-group.not-found': { http: 200, status: 2021 },
  'device-model.not-found': { http: 200, status: 2022 },
  'account.not-found': { http: 200, status: 2030 },
  'account.yourself': { http: 200, status: 2031 },
  'account.beyond-yours': { http: 200, status: 2032 },
  'account.weak-password': { http: 200, status: 2033 },
  'role.not-found': { http: 200, status: 2040 },
  'role-code.not-found': { http: 200, status: 2041 },
  'module.not-found': { http: 200, status: 2042 },
  'organisation.not-found': { http: 200, status: 2043 },
  'company.not-found': { http: 200, status: 2044 },
  'session.not-found': { http: 200, status: 2045 },
  'verification.not-configured': { http: 200, status: 2050 },
  'verification.wrong': { http: 200, status: 2051 },
  'verification.not-sent': { http: 200, status: 2052 },
  'transfer.unreadable': { http: 200, status: 2060 },
  'transfer.not-found': { http: 200, status: 2061 },
  'command.outside-limits': { http: 200, status: 3001 },
  'command.not-found': { http: 200, status: 3002 },
  'command.not-cancellable': { http: 200, status: 3003 },
  'history.range-too-large': { http: 200, status: 4001 },
  'server.internal': { http: 500, status: 500 },
  'server.unavailable': { http: 503, status: 503 },
} as const satisfies Record<string, { http: 200 | 400 | 404 | 413 | 429 | 500 | 503; status: number }>

export type ErrorCode = keyof typeof errors
/** Values for the places of an error's text. */
export type ErrorParams = Readonly<Record<string, string | number>>
