/**
 * Whether the console runs in a frame of another page. Then the portal around it, which the server settings allow,
 * decides on the user.
 */
export const isFramed = (): boolean => window.self !== window.top
