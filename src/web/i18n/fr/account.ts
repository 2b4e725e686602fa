import type { Same } from '../../lib/i18n.ts'
import type { texts as english } from '../en/account.ts'
import { provider } from './provider.ts'
import { theme } from './theme.ts'

export const texts = {
  ...provider,
  ...theme,
  'account.contacts': 'Contacts',
  'contacts.add': 'Ajouter un contact',
  'contacts.added': 'Contact ajouté : {name}.',
  'contacts.change_one': 'Modifier {name}',
  'contacts.change_title': 'Modifier « {name} »',
  'contacts.known': 'Cette adresse est déjà dans vos contacts.',
  'contacts.name_hint': 'Facultatif.',
  'contacts.none': 'Aucun contact pour le moment.',
  'contacts.removed': 'Contact retiré : {name}.',
  'contacts.search': 'Rechercher un contact',
  'contacts.text':
    'Les personnes à qui vous envoyez souvent des fichiers. Suggérées pendant la saisie.',
  'account.shortcuts': 'Raccourcis clavier',
  'account.profile': 'Profil',
  'account.passkeys': 'Clés d’accès',
  'account.two_step': 'Validation en deux étapes',
  'account.sessions': 'Sessions actives',
  'account.tokens': 'Jetons d’API',
  'account.delete': 'Supprimer le compte',
  'account.current_password': 'Mot de passe actuel',
  'defaults.as_last': 'Comme pour votre dernier partage',
  'defaults.start': 'Début du téléversement',
  'defaults.start_later': 'Quand vous obtenez le lien',
  'defaults.start_now': 'Dès que des fichiers sont choisis',
  'defaults.start_service': 'Valeur par défaut de ce service',
  'defaults.title': 'Valeurs par défaut des nouveaux partages',
  'error.last_factor':
    'Ce service exige la validation en deux étapes. Ajoutez d’abord une autre clé d’accès ou ' +
    'configurez l’application.',
  'error.no_second_factor': 'La validation en deux étapes est déjà désactivée. Rechargez la page.',
  'error.passkey_known': 'Cet appareil a déjà une clé d’accès pour votre compte.',
  'error.second_factor_enabled':
    'La validation en deux étapes est déjà activée. Rechargez la page.',
  'error.too_many_passkeys':
    'Vous avez atteint le nombre maximal de clés d’accès. Retirez-en une d’abord.',
  'error.too_many_tokens':
    'Vous avez atteint le nombre maximal de jetons d’API. Révoquez-en un d’abord.',
  'keys.add': 'Ajouter l’adresse saisie (destinataires). La virgule et l’espace font de même.',
  'keys.turn': 'Fichier précédent ou suivant dans l’aperçu',
  'keys.list': 'Afficher cette liste',
  'keys.paste': 'Coller des fichiers (Envoyer) ou plusieurs adresses à la fois (destinataires)',
  'keys.switch': 'Raccourcis à une seule touche',
  'keys.switch_hint':
    'Sans eux, la touche « ? » n’a aucun effet. Choix enregistré dans ce navigateur.',
  'profile.display': 'Affichage',
  'profile.email_taken': 'Un autre compte utilise cette adresse e-mail.',
  'profile.language': 'Langue',
  'profile.this_browser': 'La langue et le thème sont enregistrés dans ce navigateur.',
  'profile.why_password':
    'Votre adresse e-mail permet de réinitialiser votre mot de passe. Veuillez confirmer la ' +
    'modification.',
  'passkeys.add': 'Ajouter une clé d’accès',
  'passkeys.created': 'ajoutée le {day}',
  'passkeys.no_browser': 'Ce navigateur ne prend pas en charge les clés d’accès.',
  'passkeys.none': 'Aucune clé d’accès pour le moment.',
  'passkeys.remove_text':
    'Elle ne permettra plus de vous connecter et les autres sessions ouvertes avec elle ' +
    'prendront fin. Supprimez-la aussi sur votre appareil.',
  'passkeys.remove_title': 'Retirer « {name} » ?',
  'passkeys.text':
    'Connectez-vous avec votre empreinte, votre visage ou le verrouillage de l’écran au lieu du ' +
    'mot de passe et d’un code.',
  'passkeys.unused': 'jamais utilisée',
  'passkeys.used': 'dernière utilisation',
  'password.change': 'Changer le mot de passe',
  'password.changed': 'Mot de passe changé.',
  'password.effect':
    'Un nouveau mot de passe ferme toutes vos autres sessions et révoque tous vos jetons d’API.',
  'password.fair': 'Assez long. Quelques mots de plus le rendraient plus sûr.',
  'password.good': 'Bien : les mots de passe longs sont difficiles à deviner.',
  'password.length': 'Longueur',
  'password.missing': ['Encore {n} caractère', 'Encore {n} caractères'],
  'password.new': 'Nouveau mot de passe',
  'two_step.on': 'Activée',
  'two_step.off': 'Désactivée',
  'two_step.on_text': 'La connexion demande votre mot de passe et un code de votre application.',
  'two_step.off_text': 'Un mot de passe volé ne suffit alors plus pour se connecter.',
  'two_step.left': 'Codes de récupération restants : {n} sur 10.',
  'two_step.do.renew': 'Remplacer les codes de récupération',
  'two_step.do.renew_text':
    'Vous recevez dix nouveaux codes. Vos codes actuels cessent aussitôt de fonctionner.',
  'two_step.do.renew_title': 'Remplacer vos codes de récupération ?',
  'two_step.required':
    'Ce service exige la validation en deux étapes. Si vous la désactivez, vous devrez aussitôt ' +
    'la configurer à nouveau.',
  'two_step.set_up': 'Configurer',
  'two_step.do.turn_off': 'Désactiver',
  'two_step.do.turn_off_title': 'Désactiver la validation en deux étapes ?',
  'two_step.do.turn_off_text':
    'Votre mot de passe suffira pour vous connecter. Toutes vos autres sessions seront fermées ' +
    'et tous vos jetons d’API révoqués.',
  'two_step.is_off': 'La validation en deux étapes est désactivée.',
  'enrol.must': 'Ce service exige la validation en deux étapes. La configuration prend une minute.',
  'enrol.scan_title': 'Ajoutez votre compte à l’application',
  'enrol.scan_text':
    'Scannez ce code avec une application d’authentification comme Aegis, 2FAS ou Google ' +
    'Authenticator.',
  'enrol.qr_alt': 'Code QR pour votre application d’authentification',
  'enrol.open_app': 'Ouvrir dans une application de cet appareil',
  'common.step': 'Étape {n} sur {all}',
  'enrol.secret': 'Ou saisissez cette clé dans l’application',
  'enrol.code_title': 'Saisissez le code de l’application',
  'enrol.code_text': 'Vos autres sessions seront fermées.',
  'enrol.six_digits': 'Code à 6 chiffres',
  'enrol.turn_on': 'Activer',
  'codes.title': 'Enregistrez vos codes de récupération',
  'codes.text':
    'Chaque code permet une connexion sans l’application. Les codes ne seront plus affichés : ' +
    'conservez-les à un endroit accessible sans votre téléphone.',
  'codes.are_new': 'Vos anciens codes de récupération ne fonctionnent plus.',
  'codes.is_on': 'La validation en deux étapes est activée.',
  'codes.copy_by_hand': 'Impossible de copier les codes ici. Téléchargez-les ou imprimez-les.',
  'codes.print': 'Imprimer',
  'codes.kept': 'Je les ai enregistrés',
  'codes.leave': 'Quitter',
  'codes.leave_text':
    'Ils ne seront plus affichés. Sans eux, vous perdez l’accès à votre compte si vous perdez ' +
    'votre téléphone.',
  'codes.leave_title': 'Quitter sans enregistrer vos codes de récupération ?',
  'sessions.text': 'Navigateurs et appareils connectés à votre compte.',
  'sessions.current': 'Actuelle',
  'sessions.device': '{browser} sur {system}',
  'sessions.unknown': 'Appareil inconnu',
  'sessions.begun': 'connexion',
  'sessions.seen': 'dernière activité',
  'sessions.end': 'Déconnecter',
  'sessions.end_one': 'Déconnecter {name}',
  'sessions.end_others': 'Fermer les autres sessions',
  'sessions.end_others_hint': 'Les jetons d’API restent valables.',
  'sessions.ended': 'Session fermée.',
  'sessions.others_ended': 'Toutes les autres sessions sont fermées.',
  'tokens.text':
    'Pour les programmes qui agissent en votre nom. Un jeton ne peut pas modifier votre façon ' +
    'de vous connecter.',
  'tokens.none': 'Aucun jeton d’API pour le moment.',
  'tokens.create': 'Créer un jeton',
  'tokens.name_hint': 'À quoi sert le jeton, par exemple « sauvegarde du bureau ».',
  'tokens.scopes': 'Autorisations',
  'tokens.choose': 'Choisissez au moins une autorisation.',
  'tokens.may_read': 'Lecture : voir et télécharger vos fichiers et vos partages',
  'tokens.may_send': 'Envoi : téléverser des fichiers et créer des partages',
  'tokens.may_manage':
    'Gestion : modifier et supprimer vos partages, créer des demandes de fichiers',
  'tokens.may_administer':
    'Administration : comptes, partages et la plupart des paramètres du service',
  'tokens.may_metrics': 'Métriques : lire les chiffres pour la supervision',
  'tokens.is_read': 'lecture',
  'tokens.is_send': 'envoi',
  'tokens.is_manage': 'gestion',
  'tokens.is_administer': 'administration',
  'tokens.is_metrics': 'lecture des métriques',
  'tokens.life': 'Durée de validité',
  'tokens.days': ['{n} jour', '{n} jours'],
  'tokens.made': 'Votre nouveau jeton',
  'tokens.once': 'Il ne sera plus affiché. Gardez-le en lieu sûr, comme un mot de passe.',
  'tokens.token': 'Jeton',
  'tokens.created': 'créé le {day}',
  'tokens.unused': 'jamais utilisé',
  'tokens.end': 'Révoquer',
  'tokens.end_one': 'Révoquer {name}',
  'tokens.end_title': 'Révoquer « {name} » ?',
  'tokens.end_text':
    'Les programmes qui utilisent ce jeton seront refusés et vos jetons de téléversement seront ' +
    'révoqués.',
  'delete.text': 'Seront supprimés définitivement :',
  'delete.shares':
    'vos partages et tous leurs fichiers ; leurs liens cessent aussitôt de fonctionner',
  'delete.contacts': 'vos contacts et vos préférences',
  'delete.requests': 'vos demandes de fichiers et tous les fichiers reçus',
  'delete.logins': 'toutes les sessions et tous les jetons d’API de votre compte',
  'delete.log': 'Vos actions restent dans le journal d’audit.',
  'delete.email': 'Pour confirmer, saisissez {email}',
  'delete.wrong_email': 'Ce n’est pas l’adresse e-mail de ce compte.',
  'delete.action': 'Supprimer mon compte',
  'account.providers': 'Connexions associées',
  'error.identity_taken': 'Cette connexion appartient à un autre compte.',
  'error.last_sign_in':
    'Vous ne pourriez plus vous connecter. Définissez d’abord un mot de passe ou ajoutez une ' +
    'clé d’accès.',
  'linked.link': 'Associer {name}',
  'linked.none': 'Aucune connexion associée pour l’instant.',
  'linked.text': 'Connectez-vous avec un compte que vous avez ailleurs.',
  'linked.unlink': 'Dissocier',
  'linked.unlink_text':
    'Elle ne vous connectera plus, et les autres sessions qu’elle a ouvertes prennent fin.',
  'linked.unlink_title': 'Dissocier « {name} » ?',
} satisfies Same<typeof english>
