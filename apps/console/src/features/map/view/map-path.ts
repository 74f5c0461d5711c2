/** Where the map stands in the route table. */
export const MAP_PATH = '/gis/gisshow'
