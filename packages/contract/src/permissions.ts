/**
 * Permission values of section 2 of the specification, spelled as it spells them (pe-egmonitor,
 * ps-oraigionsys). A module item carries one in `url`; a page and an endpoint name the ones they need.
 */
export const modules = {
  pewph: [
    'pe-fmreal',
    'pe-irrreal',
    'pe-fmhistory',
    'pe-fmcontrol',
    'pe-irrigation',
    'pe-irrgrpsx',
    'pe-egmonitor',
    'pe-sxmonitor',
    'pe-enmonitor',
    'pe-flowmonitor',
  ],
  prtjc: ['pr-rtreal', 'pr-rthistory', 'pr-rtalarm'],
  pcalr: ['pc-caldata'],
  pgis: ['pg-gisshow'],
  pstat: ['ps-statsys'],
  pusers: ['pu-usersetting'],
  pgroup: ['pg-groupmanage', 'pg-groupctl'],
  pdev: ['pd-devdebug', 'pd-caldevmanager', 'pd-rtcaldevmanager', 'pd-datadevmanager', 'pd-fmdevmanager'],
  psys: [
    'ps-modelsys',
    'ps-oraigionsys',
    'ps-rolecodesys',
    'ps-rolesys',
    'ps-usersys',
    'ps-htusersys',
    'ps-oplogsys',
    'ps-interfacesys',
  ],
} as const

/** Permission value of a group of pages. */
export type ModuleGroup = keyof typeof modules
/** Permission value of one page. */
export type PagePermission = (typeof modules)[ModuleGroup][number]
/** Any permission value. */
export type Permission = ModuleGroup | PagePermission

const groups = Object.keys(modules) as readonly ModuleGroup[]

/** Every permission value, each group before its pages. */
export const permissions: readonly Permission[] = groups.flatMap((group) => [group, ...modules[group]])
