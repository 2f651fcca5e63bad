//! Rigs of motion capture, character makers and games.

use super::check;

#[test]
fn motion_capture_families() {
    // CMU as converted to BVH.
    check(
        "
Hips = Hips
  LHipJoint
    LeftUpLeg = LeftUpperLeg
      LeftLeg = LeftLowerLeg
        LeftFoot = LeftFoot
          LeftToeBase = LeftToes
  RHipJoint
    RightUpLeg = RightUpperLeg
      RightLeg = RightLowerLeg
        RightFoot = RightFoot
          RightToeBase = RightToes
  LowerBack = Spine
    Spine = Chest
      Spine1 = UpperChest
        Neck = Neck
          Neck1
            Head = Head
        {Left/Right}Shoulder = *Shoulder
          {Left/Right}Arm = *UpperArm
            {Left/Right}ForeArm = *LowerArm
              {Left/Right}Hand = *Hand
                {Left/Right}FingerBase
",
    );
    // BVH of the older kind.
    check(
        "
Hips = Hips
  {Left/Right}Hip = *UpperLeg
    {Left/Right}Knee = *LowerLeg
      {Left/Right}Ankle = *Foot
        End Site
  Chest = Spine
    {Left/Right}Collar = *Shoulder
      {Left/Right}Shoulder = *UpperArm
        {Left/Right}Elbow = *LowerArm
          {Left/Right}Wrist = *Hand
            End Site
    Neck = Neck
      Head = Head
        End Site
",
    );
    // Xsens.
    check(
        "
Pelvis = Hips
  L5 = Spine
    L3
      T12 = Chest
        T8 = UpperChest
          Neck = Neck
            Head = Head
          {Left/Right}Shoulder = *Shoulder
            {Left/Right}UpperArm = *UpperArm
              {Left/Right}ForeArm = *LowerArm
                {Left/Right}Hand = *Hand
  {Left/Right}UpperLeg = *UpperLeg
    {Left/Right}LowerLeg = *LowerLeg
      {Left/Right}Foot = *Foot
        {Left/Right}Toe = *Toes
",
    );
    // SMPL: the toes are called foot.
    check(
        "
pelvis = Hips
  {left/right}_hip = *UpperLeg
    {left/right}_knee = *LowerLeg
      {left/right}_ankle = *Foot
        {left/right}_foot = *Toes
  spine1 = Spine
    spine2 = Chest
      spine3 = UpperChest
        neck = Neck
          head = Head
        {left/right}_collar = *Shoulder
          {left/right}_shoulder = *UpperArm
            {left/right}_elbow = *LowerArm
              {left/right}_wrist = *Hand
                {left/right}_hand
",
    );
}

#[test]
fn motion_builder_with_roll_joints() {
    check(
        "
Character1_Reference
  Character1_Hips = Hips
    Character1_{Left/Right}UpLeg = *UpperLeg
      Character1_{Left/Right}UpLegRoll
        Character1_{Left/Right}Leg = *LowerLeg
          Character1_{Left/Right}LegRoll
          Character1_{Left/Right}Foot = *Foot
            Character1_{Left/Right}ToeBase = *Toes
    Character1_Spine = Spine
      Character1_Spine1 = Chest
        Character1_{Left/Right}Shoulder = *Shoulder
          Character1_{Left/Right}Arm = *UpperArm
            Character1_{Left/Right}ArmRoll
              Character1_{Left/Right}ForeArm = *LowerArm
                Character1_{Left/Right}ForeArmRoll
                Character1_{Left/Right}Hand = *Hand
                  Character1_{Left/Right}InHandIndex
                    Character1_{Left/Right}HandIndex1 = *IndexProximal
                      Character1_{Left/Right}HandIndex2 = *IndexIntermediate
                        Character1_{Left/Right}HandIndex3 = *IndexDistal
        Character1_Neck = Neck
          Character1_Head = Head
",
    );
}

#[test]
fn character_creator() {
    check(
        "
CC_Base_BoneRoot
  CC_Base_Hip = Hips
    CC_Base_Pelvis
      CC_Base_{L/R}_Thigh = *UpperLeg
        CC_Base_{L/R}_ThighTwist01
        CC_Base_{L/R}_Calf = *LowerLeg
          CC_Base_{L/R}_CalfTwist01
          CC_Base_{L/R}_KneeShareBone
          CC_Base_{L/R}_Foot = *Foot
            CC_Base_{L/R}_ToeBaseShareBone
            CC_Base_{L/R}_ToeBase = *Toes
              CC_Base_{L/R}_BigToe1
    CC_Base_Waist = Spine
      CC_Base_Spine01 = Chest
        CC_Base_Spine02 = UpperChest
          CC_Base_NeckTwist01 = Neck
            CC_Base_NeckTwist02
              CC_Base_Head = Head
                CC_Base_FacialBone
                  CC_Base_UpperJaw
                  CC_Base_JawRoot = Jaw
                    CC_Base_Tongue01
                  CC_Base_{L/R}_Eye = *Eye
          CC_Base_{L/R}_Clavicle = *Shoulder
            CC_Base_{L/R}_Upperarm = *UpperArm
              CC_Base_{L/R}_UpperarmTwist01
              CC_Base_{L/R}_Forearm = *LowerArm
                CC_Base_{L/R}_ForearmTwist01
                CC_Base_{L/R}_ElbowShareBone
                CC_Base_{L/R}_Hand = *Hand
                  CC_Base_{L/R}_Mid1 = *MiddleProximal
                    CC_Base_{L/R}_Mid2 = *MiddleIntermediate
                      CC_Base_{L/R}_Mid3 = *MiddleDistal
          CC_Base_L_RibsTwist
          CC_Base_R_RibsTwist
",
    );
}

#[test]
fn names_of_games_and_of_hand_made_rigs() {
    check(
        "
rig_root
  {l/r}_hip_jnt = *UpperLeg
    {l/r}_knee_jnt = *LowerLeg
      {l/r}_ankle_jnt = *Foot
        {l/r}_ball_jnt = *Toes
          {l/r}_toe_jnt
  spine_01_jnt = Spine
    spine_02_jnt = Chest
      neck_01_jnt = Neck
        head_jnt = Head
      {l/r}_clav_jnt = *Shoulder
        {l/r}_shoulder_jnt = *UpperArm
          {l/r}_elbow_jnt = *LowerArm
            {l/r}_wrist_jnt = *Hand
"
        .replace("rig_root\n", "pelvis_jnt = Hips\n")
        .as_str(),
    );
    check(
        "
hips = Hips
  spine = Spine
    neck = Neck
      head = Head
    {left/right}upperarm = *UpperArm
      {left/right}forearm = *LowerArm
        {left/right}hand = *Hand
  {left/right}upleg = *UpperLeg
    {left/right}lowleg = *LowerLeg
      {left/right}foot = *Foot
",
    );
    check(
        "
mPelvis = Hips
  mTorso = Spine
    mChest = Chest
      mNeck = Neck
        mHead = Head
      mCollar{Left/Right} = *Shoulder
        mShoulder{Left/Right} = *UpperArm
          mElbow{Left/Right} = *LowerArm
            mWrist{Left/Right} = *Hand
  mHip{Left/Right} = *UpperLeg
    mKnee{Left/Right} = *LowerLeg
      mAnkle{Left/Right} = *Foot
        mFoot{Left/Right} = *Toes
          mToe{Left/Right}
"
        .replace("mFoot{Left/Right} = *Toes", "mFoot{Left/Right}")
        .replace("          mToe{Left/Right}", "          mToe{Left/Right} = *Toes")
        .as_str(),
    );
    check(
        "
HumanoidRootPart
  LowerTorso = Hips
    UpperTorso = Spine
      Head = Head
      {Left/Right}UpperArm = *UpperArm
        {Left/Right}LowerArm = *LowerArm
          {Left/Right}Hand = *Hand
    {Left/Right}UpperLeg = *UpperLeg
      {Left/Right}LowerLeg = *LowerLeg
        {Left/Right}Foot = *Foot
",
    );
    check(
        "
root.x = Hips
  {thigh_stretch.l/thigh_stretch.r} = *UpperLeg
    {leg_stretch.l/leg_stretch.r} = *LowerLeg
      {foot.l/foot.r} = *Foot
        {toes_01.l/toes_01.r} = *Toes
  spine_01.x = Spine
    spine_02.x = Chest
      neck.x = Neck
        head.x = Head
      shoulder.{l/r} = *Shoulder
        arm_stretch.{l/r} = *UpperArm
          forearm_stretch.{l/r} = *LowerArm
            hand.{l/r} = *Hand
              c_index1.{l/r} = *IndexProximal
                c_index2.{l/r} = *IndexIntermediate
                  c_index3.{l/r} = *IndexDistal
",
    );
    check(
        "
pelvis = Hips
  leg_upper_{L/R} = *UpperLeg
    leg_upper_{L/R}_TWIST
    leg_lower_{L/R} = *LowerLeg
      ankle_{L/R} = *Foot
        ball_{L/R} = *Toes
  spine_0 = Spine
    spine_1
      spine_2 = Chest
        spine_3 = UpperChest
          neck_0 = Neck
            head = Head
          clavicle_{L/R} = *Shoulder
            arm_upper_{L/R} = *UpperArm
              arm_lower_{L/R} = *LowerArm
                arm_lower_{L/R}_TWIST
                hand_{L/R} = *Hand
                  finger_index_meta_{L/R}
                    finger_index_0_{L/R} = *IndexProximal
                      finger_index_1_{L/R} = *IndexIntermediate
                        finger_index_2_{L/R} = *IndexDistal
"
        .replace("spine_1\n", "spine_1 = Chest\n")
        .replace("spine_2 = Chest\n", "spine_2\n")
        .as_str(),
    );
}

/// Numbered fingers with metacarpals: the thumb's is its first joint.
#[test]
fn a_numbered_thumb_begins_at_its_metacarpal() {
    check(
        "
Hips = Hips
  Spine1 = Spine
    Spine2 = Chest
      Neck = Neck
        Head = Head
      {Left/Right}Shoulder = *Shoulder
        {Left/Right}Arm = *UpperArm
          {Left/Right}ForeArm = *LowerArm
            {Left/Right}Hand = *Hand
              {Left/Right}Finger1Metacarpal = *ThumbProximal
                {Left/Right}Finger1Proximal = *ThumbIntermediate
                  {Left/Right}Finger1Distal = *ThumbDistal
                    {Left/Right}Finger1Tip
              {Left/Right}Finger2Metacarpal
                {Left/Right}Finger2Proximal = *IndexProximal
                  {Left/Right}Finger2Medial = *IndexIntermediate
                    {Left/Right}Finger2Distal = *IndexDistal
                      {Left/Right}Finger2Tip
              {Left/Right}Finger3Metacarpal
                {Left/Right}Finger3Proximal = *MiddleProximal
                  {Left/Right}Finger3Medial = *MiddleIntermediate
                    {Left/Right}Finger3Distal = *MiddleDistal
                      {Left/Right}Finger3Tip
              {Left/Right}Finger4Metacarpal
                {Left/Right}Finger4Proximal = *RingProximal
                  {Left/Right}Finger4Medial = *RingIntermediate
                    {Left/Right}Finger4Distal = *RingDistal
                      {Left/Right}Finger4Tip
              {Left/Right}Finger5Metacarpal
                {Left/Right}Finger5Proximal = *LittleProximal
                  {Left/Right}Finger5Medial = *LittleIntermediate
                    {Left/Right}Finger5Distal = *LittleDistal
                      {Left/Right}Finger5Tip
  {Left/Right}Thigh = *UpperLeg
    {Left/Right}Shin = *LowerLeg
      {Left/Right}Foot = *Foot
        {Left/Right}Toe = *Toes
",
    );
}
