import type { Same } from '../../lib/i18n.ts'
import type { basics as english } from '../en/basics.ts'

export const basics = {
  'common.copied': 'Copié.',
  'common.copy': 'Copier',
  'common.copy_by_hand': 'Appuyez sur Ctrl+C pour copier.',
  'common.email': 'E-mail',
  'field.email': 'Saisissez une adresse e-mail complète, par exemple ada@example.org.',
  'field.missing': 'Remplissez ce champ.',
  'field.short': 'Utilisez au moins {n} caractères.',
  'common.hide': 'Masquer',
  'common.imprint': 'Mentions légales',
  'common.loading': 'Chargement…',
  'common.password': 'Mot de passe',
  'common.privacy': 'Confidentialité',
  'common.show': 'Afficher',
  'common.try_again': 'Réessayer',
  'connection.back': 'Connexion rétablie.',
  'connection.lost':
    'Connexion interrompue. Votre saisie est conservée et cette page reprendra automatiquement.',
  'error.cookie_blocked':
    'Les informations sont correctes, mais votre navigateur bloque les cookies de ce site. ' +
    'Autorisez-les, puis réessayez.',
  'error.cookie_insecure':
    'Les informations sont correctes, mais votre navigateur ne conserve l’accès que sur une ' +
    'page chiffrée. Ouvrez cette page à son adresse https://.',
  'error.not_found': 'Il n’y a rien ici. Le contenu a peut-être été supprimé.',
  'error.unauthorized': 'Votre session est fermée.',
  'error.unavailable':
    'Le service ne peut pas faire cela pour le moment. Réessayez dans un instant.',
  'error.unknown':
    'Une erreur s’est produite. Si vous avez modifié quelque chose, vérifiez si la modification ' +
    'est enregistrée avant de réessayer.',
  'error.unreachable':
    'Le service est injoignable. Si vous avez modifié quelque chose, vérifiez si la ' +
    'modification est enregistrée avant de réessayer.',
  'error.wrong_code':
    'Code incorrect. Les codes changent toutes les 30 secondes : vérifiez votre horloge.',
  'error.wrong_credentials': 'Adresse e-mail ou mot de passe incorrect.',
  'left.hours': ['environ {n} heure', 'environ {n} heures'],
  'left.minutes': ['environ {n} minute', 'environ {n} minutes'],
  'left.under_minute': 'moins d’une minute',
  'tries.over': 'Vous pouvez réessayer maintenant.',
  'tries.wait': 'Trop de tentatives. Réessayez dans {left}.',
} satisfies Same<typeof english>
