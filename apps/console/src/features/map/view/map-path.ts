/** Path of the map page. */
export const MAP_PATH = '/gis/gisshow'
