// What the app loads right after its first view.
export { Unfinished } from './send/unfinished.tsx'
export { SignInDialog } from './shell/sign-in-dialog.tsx'
